import Foundation
import HitQueue
import Hits

/// `tagworks hits validate`: judges payloads without a network.
enum HitsValidate: Command {
  static let description = CommandDescription(
    path: "hits validate",
    summary: "Judges hits without sending them, as the protocol's own validation server would.",
    operands: [
      .init(name: "FILE", help: "lines of Measurement Protocol v1, or GA4 payloads as JSON; - is standard input")
    ],
    options: [
      .init(name: "--protocol", value: "NAME", help: "mp1 or ga4", isRequired: true),
      .init(
        name: "--property", value: "ID", help: "a property that is registered, whatever its form (mp1)",
        isRepeatable: true),
      CommandDescription.json,
    ],
    exits: [
      (.success, "fine"), (.inputHasErrors, "a hit is invalid"), (.unavailable, "the file cannot be read"),
    ],
    example: "tagworks hits validate payload.json --protocol ga4")

  private static let limit = 16 << 20

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let language = arguments.value("--protocol") ?? ""
    guard language == "mp1" || language == "ga4" else {
      throw UsageError("--protocol takes one of mp1, ga4, not '\(language)'")
    }
    let bytes = try InputFile.bytes(path: arguments.operand(0) ?? "-", limit: limit)
    let isJSON = arguments.has("--json")
    return language == "mp1"
      ? try measurements(bytes, properties: Set(arguments.all("--property")), isJSON: isJSON)
      : try payloads(bytes, isJSON: isJSON)
  }

  private static func measurements(_ bytes: [UInt8], properties: Set<String>, isJSON: Bool) throws -> ExitStatus {
    let report = MeasurementValidator(properties: properties).report(on: bytes)
    if isJSON {
      try JSONOutput.line(report)
    } else {
      for (index, result) in report.hitParsingResult.enumerated() {
        Output.line("hit \(index + 1): \(result.valid ? "valid" : "invalid")")
        for message in result.parserMessage {
          Output.line(
            "  \(message.messageType.rawValue) \(message.messageCode?.rawValue ?? ""): \(message.description)")
        }
      }
      for message in report.parserMessage { Output.line(message.description) }
    }
    return report.isValid ? .success : .inputHasErrors
  }

  /// One JSON document, or one a line.
  private static func payloads(_ bytes: [UInt8], isJSON: Bool) throws -> ExitStatus {
    let isOne = (try? Value(json: bytes)) != nil
    let payloads = isOne ? [bytes[...]] : FormFields.lines(of: bytes)
    let validator = GA4Validator()
    var isValid = !payloads.isEmpty
    for (index, payload) in payloads.enumerated() {
      let messages = validator.messages(for: Array(payload))
      isValid = isValid && messages.isEmpty
      if isJSON {
        try JSONOutput.line(["validationMessages": messages])
      } else {
        Output.line("payload \(index + 1): \(messages.isEmpty ? "valid" : "invalid")")
        for message in messages {
          Output.line("  \(message.validationCode.rawValue) \(message.fieldPath): \(message.description)")
        }
      }
    }
    return isValid ? .success : .inputHasErrors
  }
}
