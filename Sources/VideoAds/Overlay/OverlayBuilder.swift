/// Makes the overlay's model of an ad, its position and the settings: a pure function (VA-1001 to VA-1006).
struct OverlayBuilder {
  let run: BreakRun
  let key: OverlayHistory.Key
  let rendering: EngineRendering
  let settings: AdsSettings
  /// Whether it is the ad's first model.
  let isFirst: Bool
  let becameSkippable: Bool

  private static let standardSize = AdSize(width: 640, height: 360)

  private var texts: OverlayTexts { rendering.texts }
  private var layout: OverlayLayout {
    OverlayLayout(size: key.size ?? Self.standardSize, isRightToLeft: texts.isRightToLeft)
  }

  private var isBumper: Bool { run.current.pod?.isBumper ?? false }

  func model() -> OverlayModel {
    var model = OverlayModel()
    model.isBuffering = key.isBuffering
    model.isMuted = key.isSilent
    model.isPaused = key.isPaused
    model.isRightToLeft = texts.isRightToLeft
    if let nonLinear = run.current.nonLinear {
      model.overlayAd = overlayAd(nonLinear)
      return model
    }
    addTexts(to: &model)
    addControls(to: &model)
    addIcons(to: &model)
    if isFirst { model.announcement = startAnnouncement }
    if becameSkippable { model.announcement = texts.skipAvailable }
    return model
  }

  private var name: String {
    guard let pod = run.current.pod, pod.totalAds > 1, !pod.isBumper else { return texts.ad }
    return OverlayTexts.filled(texts.adOf, pod.adPosition, pod.totalAds)
  }

  private var startAnnouncement: String {
    guard let seconds = key.remaining, !isBumper else { return name }
    return name + ", " + OverlayTexts.filled(texts.seconds, seconds)
  }

  private func shows(_ element: AdUIElement) -> Bool { rendering.uiElements.map { $0.contains(element) } ?? true }

  private func addTexts(to model: inout OverlayModel) {
    if shows(.adAttribution), layout.isRoomy {
      model.attribution = OverlayModel.Element(
        text: texts.ad, label: texts.ad, rectangle: layout.attribution, target: nil, isEnabled: true, order: 0)
    }
    if shows(.countdown) {
      let time = isBumper ? nil : key.remaining.map { " · " + Self.clock($0) }
      model.countdown = OverlayModel.Element(
        text: name + (time ?? ""), label: startAnnouncement, rectangle: layout.countdown, target: nil, isEnabled: true,
        order: 0)
    }
  }

  /// `m:ss`, from an hour on `h:mm:ss`.
  static func clock(_ seconds: Int) -> String {
    let two = { (number: Int) in number < 10 ? "0\(number)" : String(number) }
    let (hours, minutes, rest) = (seconds / 3_600, seconds / 60 % 60, seconds % 60)
    return hours > 0 ? "\(hours):\(two(minutes)):\(two(rest))" : "\(minutes):\(two(rest))"
  }

  private func addControls(to model: inout OverlayModel) {
    model.skipState = key.skip
    switch key.skip {
    case .hidden: break
    case .waiting(let seconds):
      let text = OverlayTexts.filled(texts.skipIn, seconds)
      model.skip = control(text, layout.skip, .skip, isEnabled: false, order: 1)
    case .available: model.skip = control(texts.skip, layout.skip, .skip, order: 1)
    }
    if layout.isRoomy, let through = run.ad?.linear?.clickThrough, ClickTarget(settings).allows(through.url) {
      model.learnMore = control(texts.learnMore, layout.learnMore, .clickThrough, order: 2)
    }
  }

  private func control(
    _ text: String, _ rectangle: AdRectangle, _ target: OverlayTarget, isEnabled: Bool = true, order: Int
  ) -> OverlayModel.Element {
    OverlayModel.Element(
      text: text, label: text, rectangle: rectangle, target: target, isEnabled: isEnabled, order: order)
  }

  private func addIcons(to model: inout OverlayModel) {
    guard layout.isRoomy else { return }
    let icons = key.icons.map { run.current.icons[$0] }
    for (place, rectangle) in layout.places(of: icons).enumerated() {
      guard let resource = rendering.resources.best(of: icons[place].resources) else { continue }
      model.icons.append(
        OverlayModel.Picture(
          resource: resource, rectangle: rectangle, label: icons[place].alternativeText ?? icons[place].program ?? "",
          target: .icon(key.icons[place]), order: 3 + place))
    }
    guard let index = key.fallbackIcon, run.current.icons.indices.contains(index),
      let image = run.current.icons[index].fallback(in: key.size), let resource = image.resource
    else { return }
    let size = AdSize(width: Double(image.width ?? 0), height: Double(image.height ?? 0))
    let picture = OverlayModel.Picture(
      resource: resource, rectangle: layout.bottomCentre(size), label: image.alternativeText ?? "",
      target: .closeFallback, order: 0)
    model.fallbackImage = OverlayModel.OverlayAd(
      picture: picture, close: control(texts.close, layout.close, .closeFallback, order: 1))
  }

  private func overlayAd(_ nonLinear: VAST.NonLinear) -> OverlayModel.OverlayAd? {
    guard let resource = rendering.resources.best(of: nonLinear.resources) else { return nil }
    let size = OverlayChoice(resources: rendering.resources, container: key.size).size(of: nonLinear)
    let picture = OverlayModel.Picture(
      resource: resource, rectangle: layout.bottomCentre(size), label: texts.ad, target: .overlay, order: 0)
    let close = key.canClose ? control(texts.close, layout.close, .closeOverlay, order: 1) : nil
    return OverlayModel.OverlayAd(picture: picture, close: close)
  }
}
