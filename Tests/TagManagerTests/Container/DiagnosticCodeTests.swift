import TagManager
import Testing

@Suite("Diagnostic codes")
struct DiagnosticCodeTests {
  /// TM-171, word for word.
  static let codes: [(String, [Diagnostic.Code])] = [
    (
      """
      emptyFile compressedFile zipArchive htmlDocument gitLFSPointer unrecognisedFormat workspaceExport \
      containerDescription remoteConfigTemplate incompleteResource newerFormat containerMismatch webContainer \
      malformedWire invalidUTF8 malformedJSON malformedPropertyList indexOutOfRange valueCycle unevenMap \
      missingServingValue unknownValueType unknownValueForm unknownClause missingFunction flatRootNotDictionary \
      tooLarge tooDeep tooMany valueTooLarge
      """,
      [
        .emptyFile, .compressedFile, .zipArchive, .htmlDocument, .gitLFSPointer, .unrecognisedFormat, .workspaceExport,
        .containerDescription, .remoteConfigTemplate, .incompleteResource, .newerFormat, .containerMismatch,
        .webContainer, .malformedWire, .invalidUTF8, .malformedJSON, .malformedPropertyList, .indexOutOfRange,
        .valueCycle, .unevenMap, .missingServingValue, .unknownValueType, .unknownValueForm, .unknownClause,
        .missingFunction, .flatRootNotDictionary, .tooLarge, .tooDeep, .tooMany, .valueTooLarge,
      ]
    ),
    (
      """
      platformMismatch resourceFormatVersion unknownFunction flatUnsupportedValue duplicateKey regexInvalid \
      regexTimeout setupCycle noDefaultContainer misnamedDefault defaultUnreadable savedCorrupt savedFormatUnknown \
      saveFailed signatureMissing signatureInvalid insecureURLUpgraded unknownAnalyticsField previewSchemeMissing
      """,
      [
        .platformMismatch, .resourceFormatVersion, .unknownFunction, .flatUnsupportedValue, .duplicateKey,
        .regexInvalid, .regexTimeout, .setupCycle, .noDefaultContainer, .misnamedDefault, .defaultUnreadable,
        .savedCorrupt, .savedFormatUnknown, .saveFailed, .signatureMissing, .signatureInvalid, .insecureURLUpgraded,
        .unknownAnalyticsField, .previewSchemeMissing,
      ]
    ),
    (
      """
      runtimeIgnored unevenRuleNames duplicateMacroDefault supplementalIgnored defaultShadowed savedOlderThanDefault \
      legacySavedImported nameOnlyContainer
      """,
      [
        .runtimeIgnored, .unevenRuleNames, .duplicateMacroDefault, .supplementalIgnored, .defaultShadowed,
        .savedOlderThanDefault, .legacySavedImported, .nameOnlyContainer,
      ]
    ),
  ]

  @Test("TM-171: the codes have the texts of the specification", arguments: codes)
  func texts(names: String, codes: [Diagnostic.Code]) {
    #expect(codes.map(\.rawValue) == names.split(separator: " ").map(String.init))
  }

  @Test("TM-170, TM-160: a thousand warnings of one kind become a hundred and a count")
  func bounded() {
    let keys = (0..<1_000).map { "\"k\($0)\":null" }.joined(separator: ",")
    let result = RecognitionTests.decode("{\(keys)}")
    #expect(result.diagnostics.count == 100)
    #expect(result.diagnostics.last?.message.hasSuffix("There are 900 more of this kind.") == true)
  }
}
