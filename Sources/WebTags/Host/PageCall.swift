import Foundation

/// The one way in which adapters run a function of a page: a constant source with two string arguments (WT-702, WT-800).
///
/// An adapter runs `source` as the body of an async function with the arguments `path` and `argument`. Its result is
/// always a text, `mark json`, where the mark is `v` for a value, `n` when there is no such function and `e` for an
/// error; any other result means that the process ended.
public enum PageCall {
  /// The most bytes of an argument.
  public static let longestArgument = 8 << 20
  /// How many calls may be outstanding in one page.
  public static let mostOutstanding = 64

  /// The body of the async function; its arguments are named `path` and `argument`.
  public static let source = """
    let owner = undefined, found = globalThis;
    for (const name of path.split(".")) {
      owner = found;
      found = found === null || found === undefined ? undefined : found[name];
    }
    if (typeof found !== "function") { return "n"; }
    try {
      const text = JSON.stringify(await found.call(owner, JSON.parse(argument)));
      return "v" + (text === undefined ? "null" : text);
    } catch (error) {
      const known = error !== null && typeof error === "object";
      const place = known ? [error.sourceURL, error.line, error.column] : [];
      return "e" + JSON.stringify({
        message: String(error),
        source: typeof place[0] === "string" ? place[0] : null,
        line: typeof place[1] === "number" ? place[1] : null,
        column: typeof place[2] === "number" ? place[2] : null,
      });
    }
    """

  /// Checks a call before it starts.
  ///
  /// - Throws: `badPath` and `argumentTooLarge`.
  public static func check(path: String, argument: String) throws(PageHostError) {
    guard PagePath.isValid(path) else { throw PageHostError(.badPath, "the path is not a list of names") }
    guard argument.utf8.count <= longestArgument else {
      throw PageHostError(.argumentTooLarge, "the argument has more than 8 MiB")
    }
  }

  /// Reads what `source` gave.
  ///
  /// - Returns: the value as JSON text.
  /// - Throws: `notAFunction`, `script`, or `processTerminated` for a text that `source` does not make.
  public static func result(of text: String, path: String) throws(PageHostError) -> String {
    switch text.utf8.first {
    case UInt8(ascii: "v"): return String(text.dropFirst())
    case UInt8(ascii: "n"): throw PageHostError(.notAFunction, "\(path) is not a function")
    case UInt8(ascii: "e"):
      guard let failure = try? JSONDecoder().decode(Failure.self, from: Data(text.utf8.dropFirst())) else {
        throw PageHostError(.script, "an error that cannot be read")
      }
      throw PageHostError(
        .script, failure.message,
        script: .init(
          source: failure.source, line: failure.line.flatMap { Int(exactly: $0) },
          column: failure.column.flatMap { Int(exactly: $0) }))
    default: throw .processTerminated(.crash)
    }
  }

  private struct Failure: Decodable {
    var message: String
    var source: String?
    var line: Double?
    var column: Double?
  }
}

/// The name of a function in a page: `name *( "." name )`, name = `[A-Za-z_$][A-Za-z0-9_$]*`.
public enum PagePath {
  /// Whether a text is such a name.
  public static func isValid(_ text: String) -> Bool {
    let names = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return !names.isEmpty && names.allSatisfy(isName)
  }

  static func isName(_ name: Substring.UTF8View) -> Bool {
    guard let first = name.first, isLetter(first) else { return false }
    return name.allSatisfy { isLetter($0) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
      || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
  }
}
