import Console
import Foundation
import Hits

/// `tagworks key make`: a new key to sign containers with.
enum KeyMake: Command {
  static let description = CommandDescription(
    path: "key make",
    summary: "Makes a key that signs containers, and prints what apps check it with.",
    operands: [.init(name: "FILE", help: "the file to make, for its owner alone")],
    options: [CommandDescription.json],
    exits: [(.success, "made"), (.unavailable, "the file is there already, or cannot be made")],
    example: "tagworks key make signing.pem")

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    do throws(ConsoleError) {
      KeyText.show(try SigningKey.make(file: arguments.operand(0) ?? ""), json: arguments.has("--json"))
    } catch {
      throw CommandFailure(error.message, status: .unavailable)
    }
    return .success
  }
}

/// `tagworks key show`: what apps check a key's signatures with.
enum KeyShow: Command {
  static let description = CommandDescription(
    path: "key show",
    summary: "Prints what apps check a signing key with; nothing of it is secret.",
    operands: [.init(name: "FILE", help: "the key's file")],
    options: [CommandDescription.json],
    exits: [
      (.success, "shown"), (.inputHasErrors, "the file is no key, or others can read it"),
      (.unavailable, "there is no such file"),
    ],
    example: "tagworks key show signing.pem")

  static func run(_ arguments: Arguments) throws -> ExitStatus {
    let file = arguments.operand(0) ?? ""
    guard FileManager.default.fileExists(atPath: file) else {
      throw CommandFailure("\(file): there is no such file", status: .unavailable)
    }
    do throws(ConsoleError) {
      KeyText.show(try SigningKey(file: file), json: arguments.has("--json"))
    } catch {
      throw CommandFailure(error.message)
    }
    return .success
  }
}

/// The public half of a key, for a person and for an app's source.
enum KeyText {
  static func show(_ key: SigningKey, json: Bool) {
    let base64 = Data(key.publicKey).base64EncodedString()
    if json {
      Output.line(Value.map(["id": .string(key.id), "publicKey": .string(base64)]).jsonText)
    } else {
      Output.line("id          \(key.id)\npublic key  \(base64)\n")
      Output.line("In the app: signature: .required([\"\(key.id)\": Array(Data(base64Encoded: \"\(base64)\")!)])")
    }
  }
}
