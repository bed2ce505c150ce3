import Hits

/// A decoder under test, with the seeds of its form.
struct Target {
  let name: String
  let mutator: Mutator
  /// Tries one input, and tells whether it was taken; a message when a promise was broken.
  let run: ([UInt8]) -> Verdict

  enum Verdict {
    case accepted
    case refused(String)
    case broken(String)
  }

  init(_ name: String, seeds: [[UInt8]], run: @escaping ([UInt8]) -> Verdict) {
    self.name = name
    mutator = Mutator(seeds: seeds, words: Seeds.words)
    self.run = run
  }
}
