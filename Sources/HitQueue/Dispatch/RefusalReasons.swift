public import Hits

extension DispatchReport.Reason {
  /// The server refused the hits as they were sent: the next request takes a part of them or sends them uncompressed, or
  /// a single one is put aside (HQ-428).
  public static let refused = DispatchReport.Reason(rawValue: "refused")
  /// So many hits in a row were refused that it is the endpoint: they are ready again, and their lane rests (HQ-432).
  public static let allRejected = DispatchReport.Reason(rawValue: "allRejected")
}
