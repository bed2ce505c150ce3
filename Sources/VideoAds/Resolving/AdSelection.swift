/// Which ads of a document play, in what order, and which stand by (VA-420, VA-421, VA-424).
struct AdSelection: Sendable {
  /// An ad with the place it has in a pod.
  struct Choice: Sendable {
    let ad: VAST.Ad
    /// Its number in the pod; nil for a stand-alone ad.
    let sequence: Int?
  }

  let choices: [Choice]
  let spares: [VAST.Ad]
  /// Whether a pod was cut because one ad is allowed.
  let isPodLimited: Bool

  /// Chooses among ads; `limit` says what becomes of a pod where one ad is allowed, nil that several are.
  init(_ ads: [VAST.Ad], limit: AdsSettings.WrapperPods?) {
    var pod: [Int: VAST.Ad] = [:]
    var alone: [VAST.Ad] = []
    for ad in ads {
      if let sequence = ad.sequence, ads.count > 1, pod[sequence] == nil {
        pod[sequence] = ad
      } else {
        alone.append(ad)
      }
    }
    let ordered = pod.sorted { $0.key < $1.key }.map { Choice(ad: $0.value, sequence: $0.key) }
    let single = alone.first.map { Choice(ad: $0, sequence: nil) }
    guard let limit else {
      choices = ordered.isEmpty ? single.map { [$0] } ?? [] : ordered
      spares = ordered.isEmpty ? Array(alone.dropFirst()) : alone
      isPodLimited = false
      return
    }
    spares = []
    isPodLimited = single == nil && ordered.count > 1 && limit != .playPod
    switch limit {
    case _ where single != nil: choices = single.map { [$0] } ?? []
    case .firstAd: choices = ordered.prefix(1).map { Choice(ad: $0.ad, sequence: nil) }
    case .strict: choices = []
    case .playPod: choices = ordered
    }
  }
}
