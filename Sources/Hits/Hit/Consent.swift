/// What a person can allow, in the vocabulary of HQ-220; `wireName` is Google's spelling.
public enum ConsentPurpose: Int, Sendable, Hashable, CaseIterable {
  case analyticsStorage
  case adStorage
  case adUserData
  case adPersonalization
  case functionality
  case personalization

  /// The purpose as authors and protocols write it, such as `analytics_storage`.
  public var wireName: String {
    switch self {
    case .analyticsStorage: "analytics_storage"
    case .adStorage: "ad_storage"
    case .adUserData: "ad_user_data"
    case .adPersonalization: "ad_personalization"
    case .functionality: "functionality_storage"
    case .personalization: "personalization_storage"
    }
  }
}

/// A set of purposes.
public struct ConsentPurposes: OptionSet, Sendable, Hashable {
  /// One bit per purpose, in the order of `ConsentPurpose`.
  public let rawValue: Int

  /// Makes a set from its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Makes a set of one purpose.
  public init(_ purpose: ConsentPurpose) { rawValue = 1 << purpose.rawValue }

  /// What a hit needs unless its builder says otherwise (HQ-221).
  public static let analyticsStorage = ConsentPurposes(.analyticsStorage)
  /// Storage for advertising.
  public static let adStorage = ConsentPurposes(.adStorage)
}

/// What a person has said to one purpose.
public enum ConsentState: Int, Sendable, Hashable {
  case granted
  case denied
  case pending
}

/// What a person had said to every purpose when a hit was made (HQ-103).
public struct ConsentSnapshot: Sendable, Hashable {
  /// Two bits per purpose, in the order of `ConsentPurpose`: the raw value of `ConsentState`.
  public private(set) var rawValue: Int

  /// Makes a snapshot from its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Everything granted, as in the original.
  public static let granted = ConsentSnapshot(rawValue: 0)

  /// The state of one purpose.
  public subscript(purpose: ConsentPurpose) -> ConsentState {
    get { ConsentState(rawValue: (rawValue >> (2 * purpose.rawValue)) & 3) ?? .pending }
    set {
      rawValue &= ~(3 << (2 * purpose.rawValue))
      rawValue |= newValue.rawValue << (2 * purpose.rawValue)
    }
  }
}
