import Foundation
import Hits

/// The program: finds the command, reads its words, runs it, and ends with its status.
@main
enum Tagworks {
  static var commands: [any Command.Type] {
    [
      Demo.self, Serve.self, Backup.self, Restore.self, ContainerCheck.self, ContainerRun.self, ContainerGet.self,
      ContainerConvert.self, ContainerDiff.self, ContainerPull.self, ContainerPush.self, Publish.self, KeyMake.self,
      KeyShow.self, HitsList.self, HitsShow.self, HitsStats.self, HitsDispatch.self, HitsExport.self,
      HitsImport.self, HitsRetry.self, HitsPurge.self, HitsValidate.self, HitsSend.self, HitsCheck.self,
      AdsInspect.self, AdsPlay.self, WebTagsRun.self,
    ]
  }

  static func main() async {
    signal(SIGPIPE, SIG_IGN)
    exit(await run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }

  static func run(_ words: [String]) async -> ExitStatus {
    guard let command = command(named: words) else { return overview(words) }
    let description = command.description
    let rest = Array(words.dropFirst(description.path.split(separator: " ").count))
    if rest.prefix(while: { $0 != "--" }).contains("--help") {
      Output.text(HelpText.text(for: description))
      return .success
    }
    do {
      return try await command.run(Arguments(rest, for: description))
    } catch let error as UsageError {
      Output.message("\(description.path): \(error.message); see 'tagworks \(description.path) --help'")
      return .wrongUsage
    } catch let failure as CommandFailure {
      Output.message(failure.message)
      return failure.status
    } catch {
      Output.message("\(error)")
      return .unavailable
    }
  }

  private static func command(named words: [String]) -> (any Command.Type)? {
    commands.first { command in
      let path = command.description.path.split(separator: " ").map(String.init)
      return Array(words.prefix(path.count)) == path
    }
  }

  private static func overview(_ words: [String]) -> ExitStatus {
    let text = HelpText.overview(of: commands.map { $0.description })
    if words.isEmpty || words == ["--help"] || words == ["help"] {
      Output.text(text)
      return .success
    }
    if words == ["--version"] {
      Output.line("tagworks \(ProductInfo.version)")
      return .success
    }
    let group = commands.map { $0.description }.filter { $0.path.hasPrefix(words[0] + " ") }
    if !group.isEmpty, words.count == 1 || words[1] == "--help" {
      if words.count == 1 { Output.message("\(words[0]): a command is missing") }
      Output.text(HelpText.overview(of: group))
      return words.count == 1 ? .wrongUsage : .success
    }
    Output.message("unknown command '\(words.joined(separator: " "))'; 'tagworks --help' lists them")
    return .wrongUsage
  }
}
