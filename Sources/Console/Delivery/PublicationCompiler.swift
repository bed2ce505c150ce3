import Authoring
import GzipFormat
import Hits
import TagManager

/// Makes what apps get of what authors made (CO-300): of a publication, and of a version or draft in preview.
struct PublicationCompiler: Sendable {
  let store: any WorkspaceStore
  let keys: [SigningKey]

  /// What a publication gives apps; the same on every node (CO-301).
  func delivery(
    of publication: Publication
  ) async throws(WorkspaceStoreError) -> Result<ContainerDelivery, ConsoleError> {
    guard let text = try await store.text(ofVersion: publication.version, of: publication.container) else {
      return .failure(Self.missing(publication.version))
    }
    var previous: (number: Int, text: [UInt8])?
    if let number = publication.previous {
      guard let text = try await store.text(ofVersion: number, of: publication.container) else {
        return .failure(Self.missing(number))
      }
      previous = (number, text)
    }
    var settings = Self.settings
    settings.environment = publication.environment
    settings.sequence = publication.sequence
    settings.publishedAt = publication.published.time
    do throws(ConsoleError) {
      settings.version = String(publication.version)
      let container = try Self.compile(text, publication.container, settings)
      var rollout: Rollout?
      if let previous {
        settings.version = String(previous.number)
        rollout = Rollout(
          percent: publication.share.percent, previous: try Self.compile(previous.text, publication.container, settings)
        )
      }
      return .success(try ContainerDelivery(container, rollout: rollout, keys: keys))
    } catch {
      return .failure(error)
    }
  }

  /// What a preview shows of an export's text.
  ///
  /// - Parameter environments: a draft belongs to none of them, but an app checks by the one that it is set to (TM-440).
  func preview(
    _ text: [UInt8], of id: ContainerID, version: String, signedFor environments: [String]
  ) throws(ConsoleError) -> ContainerDelivery {
    var settings = Self.settings
    settings.version = version
    return try ContainerDelivery(try Self.compile(text, id, settings), keys: keys, signedFor: environments)
  }

  /// As large as a server's gzip makes it.
  static let settings = CompileSettings { bytes in Gzip.compress(bytes)?.count ?? bytes.count }

  /// Compiles an export's text under the id of its container, whatever it calls itself.
  static func compile(
    _ text: [UInt8], _ id: ContainerID, _ settings: CompileSettings
  ) throws(ConsoleError) -> CompiledContainer {
    let reading = WorkspaceReading(export: text)
    guard var workspace = reading.workspace else { throw error(reading.diagnostics) }
    workspace.container["publicId"] = .string(id.text)
    let compilation = workspace.compiled(settings)
    guard let container = compilation.container else { throw error(compilation.diagnostics) }
    return container
  }

  private static func error(_ diagnostics: [WorkspaceDiagnostic]) -> ConsoleError {
    let first = diagnostics.first { $0.diagnostic.severity == .error }?.diagnostic
    return ConsoleError(
      code: .notDeliverable, message: first.map { "\($0.code): \($0.message)" } ?? "it cannot be compiled")
  }

  private static func missing(_ version: Int) -> ConsoleError {
    ConsoleError(code: .notDeliverable, message: "version \(version) is not in the store")
  }
}
