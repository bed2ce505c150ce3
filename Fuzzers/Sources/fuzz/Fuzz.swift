import Decoders
import Foundation

/// Runs random and mutated inputs through every decoder of outside input (TM-160), and counts.
///
/// Exit 0 when all held, 1 when a promise was broken or an input took too long, 2 on wrong usage; a trap ends the
/// process by its signal, after a line that names the input.
@main
struct Fuzz {
  static func main() {
    guard let options = Options(Array(CommandLine.arguments.dropFirst())) else { fail(Options.usage, 2) }
    let targets = Target.all().filter { options.only == nil || $0.name == options.only }
    guard !targets.isEmpty else { fail(Options.usage, 2) }
    CrashReport.install()
    if let number = options.replay {
      replay(number, of: targets, options)
    } else {
      print("fuzz: seed \(options.seed), corpus \(Seeds.hasCorpus ? "in use" : "not there, own seeds only")")
      fflush(nil)
      exit(Campaign(targets: targets, options: options).run() ? 0 : 1)
    }
  }

  private static func replay(_ number: UInt64, of targets: [Target], _ options: Options) {
    let (target, input) = Campaign(targets: targets, options: options).input(number)
    CrashReport.current = number
    if let output = options.output {
      guard FileManager.default.createFile(atPath: output, contents: Data(input)) else {
        fail("cannot write \(output)", 1)
      }
    }
    print("input \(number): \(target.name), \(input.count) bytes: \(target.run(input))")
  }

  private static func fail(_ message: String, _ code: Int32) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(code)
  }
}
