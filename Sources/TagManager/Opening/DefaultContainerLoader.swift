import Digests
import Foundation
import Hits

/// Finds the container that an app ships with: the first of `X`, `X.plist` and `X.json` that decodes (TM-200 to TM-203).
struct DefaultContainerLoader {
  let source: any DefaultContainerSource
  /// Decides which version of a rollout this install gets (TM-138).
  let installID: String
  var limits = DecodeLimits.standard

  /// The content, empty when there is none, and what its author should know.
  func load(_ id: ContainerID) -> LoadedContent {
    var candidates = ["", ".plist", ".json"].map { id.text + $0 }[...]
    var diagnostics: [Diagnostic] = []
    while let name = candidates.popFirst() {
      guard let (result, data) = decode(name, id, &diagnostics) else { continue }
      diagnostics += result.diagnostics.map { $0.inFile(name) }
      if let container = result.container {
        let chosen = result.rollout?.choose(container, id: id, installID: installID) ?? container
        diagnostics += shadowed(candidates, by: name)
        return LoadedContent(
          chosen, origin: .default, diagnostics: diagnostics, digest: HexDigits.text(of: Digest.sha256(data)))
      }
      diagnostics.append(unreadable(name))
    }
    return LoadedContent(diagnostics: diagnostics + missing(id))
  }

  /// What decoding a candidate gave; nil when there is no such file, or it cannot be read.
  private func decode(_ name: String, _ id: ContainerID, _ diagnostics: inout [Diagnostic]) -> (DecodeResult, Data)? {
    do {
      guard let data = try source.data(named: name, limit: limits.bytes) else { return nil }
      return (ContainerDecoder.decode(data, id: id, limits: limits), data)
    } catch {
      diagnostics.append(unreadable(name, because: ": \(error)"))
      return nil
    }
  }

  private func unreadable(_ name: String, because reason: String = "") -> Diagnostic {
    Diagnostic(
      .warning, .defaultUnreadable, "Default container \(name) cannot be used\(reason); the next candidate is tried.",
      at: name)
  }

  private func shadowed(_ candidates: ArraySlice<String>, by used: String) -> [Diagnostic] {
    let names = Set(fileNames().names)
    return candidates.filter(names.contains).map { name in
      Diagnostic(.info, .defaultShadowed, "\(name) is not used, for \(used) comes first; remove one of them.", at: name)
    }
  }

  private func missing(_ id: ContainerID) -> [Diagnostic] {
    let message =
      "No default container for \(id). Looked for: \(id), \(id).plist, \(id).json in \(source.place)."
      + " An empty container is used until one is loaded."
    let (names, problem) = fileNames()
    return [Diagnostic(.warning, .noDefaultContainer, message)] + problem
      + names.compactMap { name in
        MisnamedDefault.remedy(for: name, id: id.text).map { remedy in
          Diagnostic(
            .warning, .misnamedDefault, "Found \(name); rename it to \(remedy) to use it as default container.",
            at: name)
        }
      }
  }

  private func fileNames() -> (names: [String], problem: [Diagnostic]) {
    do {
      return (try source.names(), [])
    } catch {
      return (
        [],
        [
          Diagnostic(
            .warning, .defaultUnreadable, "The files in \(source.place) cannot be listed: \(error)", at: source.place)
        ]
      )
    }
  }
}

/// File names that were probably meant to be a default container's (TM-203).
enum MisnamedDefault {
  /// The name that the file should have; nil when it is no near miss.
  static func remedy(for name: String, id: String) -> String? {
    let stem = name.lowercased()
    let id = (text: id, folded: id.lowercased())
    let forms = ["": "", ".plist": ".plist", ".json": ".json", ".bin": "", ".json.json": ".json"]
    for (suffix, proper) in forms where stem.hasSuffix(suffix) && name != id.text + proper {
      let base = stem.dropLast(suffix.count)
      if base == id.folded || isVersion(base, of: id.folded) { return id.text + proper }
    }
    return nil
  }

  /// Whether a stem is the id with `_v` or `-v` and digits.
  private static func isVersion(_ base: Substring, of id: String) -> Bool {
    guard base.hasPrefix(id) else { return false }
    let rest = base.dropFirst(id.count)
    guard rest.hasPrefix("_v") || rest.hasPrefix("-v"), rest.count > 2 else { return false }
    return rest.dropFirst(2).allSatisfy { ("0"..."9").contains($0) }
  }
}

extension Diagnostic {
  /// The diagnostic with the file's name before the place in it.
  fileprivate func inFile(_ name: String) -> Diagnostic {
    var diagnostic = self
    diagnostic.location = location.map { "\(name): \($0)" } ?? name
    return diagnostic
  }
}
