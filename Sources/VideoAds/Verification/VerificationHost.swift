public import Hits

/// The port that runs verification scripts, each ad's in one hidden, isolated page (VA-900).
@MainActor
public protocol VerificationHost: AnyObject, Sendable {
  /// Opens a page with the scripts of an ad.
  ///
  /// - Parameter notRun: tells that a script, by its place in the list, failed to load, took more than 5 s or threw
  ///   while loading; called once for each at most, never from inside this call.
  func open(
    _ scripts: [VerificationScript], context: VerificationContext, notRun: @escaping @MainActor (Int) -> Void
  ) -> any VerificationSession
}

/// The page of one ad.
@MainActor
public protocol VerificationSession: AnyObject, Sendable {
  /// Gives an event to every observer and listener of its kind.
  func send(_ event: VerificationEvent)
  /// Sends `sessionFinish`, waits at most a second for requests of the scripts, and closes the page.
  func finish()
}

/// One script to run.
public struct VerificationScript: Sendable, Hashable {
  /// Its URL.
  public var url: String
  /// The vendor's key.
  public var vendor: String?
  /// What only that vendor's observers get.
  public var parameters: String?

  package init(url: String, vendor: String? = nil, parameters: String? = nil) {
    (self.url, self.vendor, self.parameters) = (url, vendor, parameters)
  }
}

/// What a page tells of itself (VA-904).
public struct VerificationContext: Sendable, Hashable {
  /// One id an ad.
  public var adSessionID: String
  /// The partner's name.
  public var partnerName: String
  /// The partner's version.
  public var partnerVersion: String

  package init(adSessionID: String, partnerName: String, partnerVersion: String) {
    (self.adSessionID, self.partnerName, self.partnerVersion) = (adSessionID, partnerName, partnerVersion)
  }
}

/// An event as scripts get it (VA-902).
public struct VerificationEvent: Sendable, Hashable {
  /// The type, such as `sessionStart`.
  public var type: String
  /// Milliseconds since 1970.
  public var timestamp: Int64
  /// The data.
  public var data: Value

  package init(type: String, timestamp: Int64, data: Value) {
    (self.type, self.timestamp, self.data) = (type, timestamp, data)
  }
}
