/// Every code there is (TM-171); a text is never renamed.
extension Diagnostic.Code {
  // Errors: the input is not usable.

  /// The input has no bytes.
  public static let emptyFile = Self(rawValue: "emptyFile")
  /// The input is gzip; unpack it first.
  public static let compressedFile = Self(rawValue: "compressedFile")
  /// The input is a zip archive.
  public static let zipArchive = Self(rawValue: "zipArchive")
  /// The input is a web page, as captive portals and error pages give it.
  public static let htmlDocument = Self(rawValue: "htmlDocument")
  /// The input is a Git LFS pointer, not the file it stands for.
  public static let gitLFSPointer = Self(rawValue: "gitLFSPointer")
  /// The input is no form of a container.
  public static let unrecognisedFormat = Self(rawValue: "unrecognisedFormat")
  /// The input is a workspace export, not a compiled container.
  public static let workspaceExport = Self(rawValue: "workspaceExport")
  /// The input describes a container to an API; it holds none.
  public static let containerDescription = Self(rawValue: "containerDescription")
  /// The input is a remote configuration template.
  public static let remoteConfigTemplate = Self(rawValue: "remoteConfigTemplate")
  /// The resource holds no macros, tags, predicates or rules, or a rollout lacks its parts.
  public static let incompleteResource = Self(rawValue: "incompleteResource")
  /// The format is newer than this version of Tagworks reads.
  public static let newerFormat = Self(rawValue: "newerFormat")
  /// The file names another container than the one asked for.
  public static let containerMismatch = Self(rawValue: "containerMismatch")
  /// The container is for the web, a server or AMP, not for apps.
  public static let webContainer = Self(rawValue: "webContainer")
  /// The binary form is damaged.
  public static let malformedWire = Self(rawValue: "malformedWire")
  /// A text is not UTF-8.
  public static let invalidUTF8 = Self(rawValue: "invalidUTF8")
  /// The JSON text does not parse to its end.
  public static let malformedJSON = Self(rawValue: "malformedJSON")
  /// The property list is damaged.
  public static let malformedPropertyList = Self(rawValue: "malformedPropertyList")
  /// An index points at nothing.
  public static let indexOutOfRange = Self(rawValue: "indexOutOfRange")
  /// A value contains itself.
  public static let valueCycle = Self(rawValue: "valueCycle")
  /// A map has not as many values as keys.
  public static let unevenMap = Self(rawValue: "unevenMap")
  /// A compound value has no content.
  public static let missingServingValue = Self(rawValue: "missingServingValue")
  /// A value has a type that does not exist.
  public static let unknownValueType = Self(rawValue: "unknownValueType")
  /// A JSON array is no form of a value.
  public static let unknownValueForm = Self(rawValue: "unknownValueForm")
  /// A rule has a clause that does not exist.
  public static let unknownClause = Self(rawValue: "unknownClause")
  /// A macro, tag or predicate names no function.
  public static let missingFunction = Self(rawValue: "missingFunction")
  /// A property list's root is no dictionary.
  public static let flatRootNotDictionary = Self(rawValue: "flatRootNotDictionary")
  /// The input or a text in it is too large.
  public static let tooLarge = Self(rawValue: "tooLarge")
  /// Something nests too deep.
  public static let tooDeep = Self(rawValue: "tooDeep")
  /// There are too many of something.
  public static let tooMany = Self(rawValue: "tooMany")
  /// A value would be too large, were it expanded.
  public static let valueTooLarge = Self(rawValue: "valueTooLarge")

  // Warnings.

  /// The container is made for another platform.
  public static let platformMismatch = Self(rawValue: "platformMismatch")
  /// The resource has another format version than 1.
  public static let resourceFormatVersion = Self(rawValue: "resourceFormatVersion")
  /// A function id is in no table.
  public static let unknownFunction = Self(rawValue: "unknownFunction")
  /// A value of a flat container is left out, for its type has no meaning there.
  public static let flatUnsupportedValue = Self(rawValue: "flatUnsupportedValue")
  /// A key occurs twice; the last one counts.
  public static let duplicateKey = Self(rawValue: "duplicateKey")
  /// A constant regular expression is ill-formed.
  public static let regexInvalid = Self(rawValue: "regexInvalid")
  /// A regular expression was stopped after its time.
  public static let regexTimeout = Self(rawValue: "regexTimeout")
  /// Tags set each other up in a circle, which is cut.
  public static let setupCycle = Self(rawValue: "setupCycle")
  /// There is no default container.
  public static let noDefaultContainer = Self(rawValue: "noDefaultContainer")
  /// A default container has nearly the right name.
  public static let misnamedDefault = Self(rawValue: "misnamedDefault")
  /// A default container does not decode.
  public static let defaultUnreadable = Self(rawValue: "defaultUnreadable")
  /// The saved container is damaged.
  public static let savedCorrupt = Self(rawValue: "savedCorrupt")
  /// The saved container has an unknown format.
  public static let savedFormatUnknown = Self(rawValue: "savedFormatUnknown")
  /// The container could not be saved.
  public static let saveFailed = Self(rawValue: "saveFailed")
  /// The container is not signed.
  public static let signatureMissing = Self(rawValue: "signatureMissing")
  /// The container's signature does not verify.
  public static let signatureInvalid = Self(rawValue: "signatureInvalid")
  /// A tag's http URL was made https.
  public static let insecureURLUpgraded = Self(rawValue: "insecureURLUpgraded")
  /// An analytics field has an unknown name.
  public static let unknownAnalyticsField = Self(rawValue: "unknownAnalyticsField")
  /// The app does not register the preview scheme.
  public static let previewSchemeMissing = Self(rawValue: "previewSchemeMissing")

  // Information.

  /// The file carries bytecode, which is never executed.
  public static let runtimeIgnored = Self(rawValue: "runtimeIgnored")
  /// A rule has not as many names as entries.
  public static let unevenRuleNames = Self(rawValue: "unevenRuleNames")
  /// Several macros are the default of one name.
  public static let duplicateMacroDefault = Self(rawValue: "duplicateMacroDefault")
  /// A supplemental is of an unknown kind.
  public static let supplementalIgnored = Self(rawValue: "supplementalIgnored")
  /// A default container is not used, for another form of it comes first.
  public static let defaultShadowed = Self(rawValue: "defaultShadowed")
  /// The saved container is older than the default.
  public static let savedOlderThanDefault = Self(rawValue: "savedOlderThanDefault")
  /// A container saved by the legacy SDK was imported.
  public static let legacySavedImported = Self(rawValue: "legacySavedImported")
  /// The container holds constants only.
  public static let nameOnlyContainer = Self(rawValue: "nameOnlyContainer")
}
