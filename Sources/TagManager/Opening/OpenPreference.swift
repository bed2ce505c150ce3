/// What an opening waits for; the raw values are the original SDK's (TM-320).
public enum OpenPreference: Int, Sendable, Hashable {
  /// Anything but the default: a saved container of any age is enough.
  case nonDefault = 0
  /// Content that is less than 12 hours old.
  case fresh = 1
}

/// How an opening ended (TM-322).
public struct OpenResult: Sendable {
  /// The container, which may still be loading.
  public var container: Container
  /// Where the content in force came from when the opening ended.
  public var source: ContainerOrigin
  /// What ended the opening.
  public var endedBy: OpenEnd
}

/// What ended an opening (TM-320, TM-322).
public enum OpenEnd: Sendable, Hashable {
  /// Saved content is in force.
  case saved
  /// Content came over the network, or the content in force is the newest.
  case network
  /// Nothing came.
  case failure(RefreshFailure.Reason)
  /// The time was over.
  case timeout
  /// The draft under preview is in force.
  case preview
  /// Default-container mode waits for nothing.
  case mode
  /// The container was closed.
  case closed
}
