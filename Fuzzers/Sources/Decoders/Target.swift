/// A decoder under test, with documents of its form.
public struct Target: Sendable {
  /// The name, for the command line.
  public let name: String
  /// The documents that inputs are made from.
  public let seeds: [[UInt8]]
  /// What the documents are made of.
  public let structure: Structure
  /// Tries one input.
  public let run: @Sendable ([UInt8]) -> Verdict

  /// What documents are made of, as far as inputs keep to it.
  public enum Structure: Sendable {
    /// Fields of protobuf, inside each other.
    case message
    /// Values of JSON.
    case json
    /// Anything else.
    case text
  }

  /// What a decoder made of an input.
  public enum Verdict: Sendable {
    case accepted
    /// The code of the error.
    case refused(String)
    /// A promise that did not hold.
    case broken(String)
  }

  init(
    _ name: String, _ structure: Structure, seeds: [[UInt8]], run: @escaping @Sendable ([UInt8]) -> Verdict
  ) {
    self.name = name
    self.structure = structure
    self.seeds = seeds
    self.run = run
  }
}
