/// What is known of a person's choices, asked anew at each request and each ad (VA-1200).
public struct PrivacySignals: Sendable, Hashable {
  /// The Transparency and Consent Framework's signals.
  public struct TCF: Sendable, Hashable {
    /// Whether GDPR applies.
    public var gdprApplies: Bool
    /// The consent as stored.
    public var tcString: String
    /// The purposes consented to.
    public var purposes: Set<Int>
    /// Whether Google is consented to as a vendor.
    public var googleVendor: Bool

    /// Makes the signals.
    public init(gdprApplies: Bool, tcString: String, purposes: Set<Int> = [], googleVendor: Bool = false) {
      self.gdprApplies = gdprApplies
      self.tcString = tcString
      self.purposes = purposes
      self.googleVendor = googleVendor
    }
  }

  /// The Global Privacy Platform's signals.
  public struct GPP: Sendable, Hashable {
    /// The text as stored.
    public var string: String
    /// The sections that apply.
    public var sectionIDs: [Int]

    /// Makes the signals.
    public init(string: String, sectionIDs: [Int]) {
      self.string = string
      self.sectionIDs = sectionIDs
    }
  }

  /// An advertising id.
  public struct AdvertisingID: Sendable, Hashable {
    /// The id.
    public var id: String
    /// Its kind, such as `idfa`.
    public var type: String

    /// Makes an id.
    public init(id: String, type: String) {
      self.id = id
      self.type = type
    }
  }

  /// A place on earth, which the app gives.
  public struct Location: Sendable, Hashable {
    /// Degrees north.
    public var latitude: Double
    /// Degrees east.
    public var longitude: Double

    /// Makes a place.
    public init(latitude: Double, longitude: Double) {
      self.latitude = latitude
      self.longitude = longitude
    }
  }

  /// The Digital Services Act's signals.
  public struct DSA: Sendable, Hashable {
    /// Whether information on the ad is required, 0 to 3.
    public var required: Int
    /// What the ad was chosen by: 1 profiling, 2 basic, 3 precise place.
    public var parameters: [Int]
    /// Who shows it, 1 to 3.
    public var publisherRenders: Int

    /// Makes the signals.
    public init(required: Int, parameters: [Int], publisherRenders: Int) {
      self.required = required
      self.parameters = parameters
      self.publisherRenders = publisherRenders
    }
  }

  /// The Transparency and Consent Framework's signals.
  public var tcf: TCF?
  /// The Global Privacy Platform's signals.
  public var gpp: GPP?
  /// The US privacy text.
  public var usPrivacy: String?
  /// Whether the person is a child by COPPA.
  public var coppa = false
  /// Whether the person limits tracking; nil when the platform does not tell.
  public var limitAdTracking: Bool?
  /// Whether the platform allows tracking.
  public var isTrackingAuthorized = false
  /// The advertising id.
  public var advertisingID: AdvertisingID?
  /// The place.
  public var location: Location?
  /// The Digital Services Act's signals.
  public var dsa: DSA?

  /// Makes signals of which nothing is known.
  public init() {}

  /// Whether ids that tell persons apart may be sent (VA-1202 to VA-1204).
  var permitsIdentifiers: Bool {
    guard !coppa, limitAdTracking != true, isTrackingAuthorized else { return false }
    return tcf.map { !$0.gdprApplies || $0.purposes.isSuperset(of: [1, 4]) } ?? true
  }

  /// Whether anything may be stored on the device (VA-1202).
  package var permitsStorage: Bool { tcf.map { !$0.gdprApplies || $0.purposes.contains(1) } ?? true }

  /// Whether the place may be sent (VA-1203).
  var permitsLocation: Bool { !coppa && limitAdTracking != true }

  /// Whether ads may be chosen for the person.
  var permitsPersonalisation: Bool { tcf.map { !$0.gdprApplies || $0.purposes.isSuperset(of: [1, 3, 4]) } ?? true }
}
