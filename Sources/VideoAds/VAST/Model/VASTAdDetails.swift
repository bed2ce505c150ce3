public import Hits

extension VAST {
  /// The system that served an ad.
  public struct AdSystem: Sendable, Hashable, Codable {
    /// Its name.
    public var name: String
    /// Its version.
    public var version: String?
  }

  /// Who pays for an ad.
  public struct Advertiser: Sendable, Hashable, Codable {
    /// The name.
    public var name: String
    /// The id.
    public var id: String?
  }

  /// A survey about an ad.
  public struct Survey: Sendable, Hashable, Codable {
    /// The URL.
    public var url: String
    /// Its MIME type.
    public var type: String?
  }

  /// What an ad costs.
  public struct Pricing: Sendable, Hashable, Codable {
    /// The price.
    public var amount: Amount
    /// What is paid for, in capitals: CPM, CPC, CPE or CPV.
    public var model: String?
    /// The currency, ISO 4217.
    public var currency: String?
  }

  /// What an ad is about.
  public struct Category: Sendable, Hashable, Codable {
    /// The category's code.
    public var code: String
    /// The URL of who defines the code.
    public var authority: String?
  }

  /// What to request once it is known whether an ad was seen.
  public struct ViewableImpression: Sendable, Hashable, Codable {
    /// Its id.
    public var id: String?
    /// When it was seen.
    public var viewable: [String] = []
    /// When it was not.
    public var notViewable: [String] = []
    /// When nobody can tell.
    public var undetermined: [String] = []

    /// Makes an empty one.
    public init() {}
  }

  /// Who measures an ad, and with what.
  public struct Verification: Sendable, Hashable, Codable {
    /// One program to run.
    public struct Resource: Sendable, Hashable, Codable {
      /// Its URL.
      public var url: String
      /// The interface it is written for, such as `omid`.
      public var apiFramework: String?
      /// The MIME type of an executable; nil for a script.
      public var type: String?
      /// Whether a script needs no browser.
      public var isBrowserOptional = false
    }

    /// The vendor's key.
    public var vendor: String?
    /// Scripts.
    public var scripts: [Resource] = []
    /// Other programs, which are never run.
    public var executables: [Resource] = []
    /// What to request when nothing of it was run.
    public var notExecuted: [String] = []
    /// The vendor's own parameters.
    public var parameters: String?

    /// Makes an empty one.
    public init() {}
  }

  /// What a server adds to an ad, a creative or a break, as a tree (VA-303).
  public struct Extension: Sendable, Hashable, Codable {
    /// The attribute `type`.
    public var type: String?
    /// The element itself.
    public var element: Element
  }

  /// One element of an extension.
  public struct Element: Sendable, Hashable, Codable {
    /// One attribute.
    public struct Attribute: Sendable, Hashable, Codable {
      /// The name without its prefix.
      public var name: String
      /// The value.
      public var value: String
    }

    /// The name without its prefix.
    public var name: String
    /// The attributes in order.
    public var attributes: [Attribute] = []
    /// The text, trimmed.
    public var text = ""
    /// The elements inside.
    public var children: [Element] = []
  }
}
