import DurableStore
import Foundation
import Hits
import TagManager

/// The profiles of a data directory, each from one file that is read again when it changes (WT-650).
///
/// A bad file leaves the version before in place, and one line of the log says why.
final class WebTagProfiles: Sendable {
  /// What is served of one profile.
  struct Served: Sendable {
    var page: [UInt8]
    var script: [UInt8]
    var pageTag: String
    var scriptTag: String
  }

  /// How a file looked when it was last read.
  private struct Stamp: Equatable {
    var modified: Date
    var size: Int
    var inode: Int
  }

  private struct Entry {
    var stamp: Stamp
    var served: Served?
  }

  private let directory: String
  private let log: @Sendable (String) -> Void
  private let entries = Locked<[String: Entry]>([:])

  init(data: String, log: @escaping @Sendable (String) -> Void) {
    directory = data + "/webtags"
    self.log = log
  }

  /// What is served under three names; nil when a name is none, or there is no good file.
  func served(_ account: String, _ profile: String, _ environment: String) -> Served? {
    guard [account, profile, environment].allSatisfy(Self.isName) else { return nil }
    let name = "\(account)/\(profile)/\(environment)"
    let path = "\(directory)/\(name).json"
    guard let stamp = Self.stamp(path) else {
      entries.withLock { _ = $0.removeValue(forKey: name) }
      return nil
    }
    // Read under the lock, so that a change is read once.
    let (served, line) = entries.withLock { entries -> (Served?, String?) in
      if let known = entries[name], known.stamp == stamp { return (known.served, nil) }
      let before = entries[name]?.served
      do {
        guard stamp.size <= WebTagProfile.limits.bytes else {
          throw WebTagProfileError(code: .tooLarge, place: "the file")
        }
        // The file may have grown since; no more is read, whatever it is.
        let bytes = try AtomicFile(path: path).read(limit: WebTagProfile.limits.bytes) ?? []
        let served = Self.served(try WebTagProfile(bytes), path: "/utag/\(name)", modified: stamp.modified)
        entries[name] = Entry(stamp: stamp, served: served)
        return (served, nil)
      } catch {
        entries[name] = Entry(stamp: stamp, served: before)
        let reason = (error as? WebTagProfileError).map { "\($0.code.rawValue) at \($0.place)" } ?? "it cannot be read"
        return (before, "the web tag profile \(name) is not used: \(reason)")
      }
    }
    if let line { log(line) }
    return served
  }

  private static func served(_ profile: WebTagProfile, path: String, modified: Date) -> Served {
    let page = Array(UniversalTagText.page(profile, path: path, published: digits(modified)).utf8)
    let script = Array(UniversalTagText.script(profile).utf8)
    return Served(page: page, script: script, pageTag: tag(page), scriptTag: tag(script))
  }

  private static func tag(_ bytes: [UInt8]) -> String { "\"\(ContentFingerprint.text(of: bytes))\"" }

  /// `yyyymmddhhmm` in UTC.
  private static func digits(_ date: Date) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "UTC")
    formatter.dateFormat = "yyyyMMddHHmm"
    return formatter.string(from: date)
  }

  private static func stamp(_ path: String) -> Stamp? {
    guard let facts = try? FileManager.default.attributesOfItem(atPath: path),
      facts[.type] as? FileAttributeType == .typeRegular, let modified = facts[.modificationDate] as? Date
    else { return nil }
    return Stamp(
      modified: modified, size: (facts[.size] as? NSNumber)?.intValue ?? 0,
      inode: (facts[.systemFileNumber] as? NSNumber)?.intValue ?? 0)
  }

  /// The rule of WT-101 for names.
  static func isName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count) && text != "." && text != ".."
      && text.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }
}

extension WebTagProfiles {
  /// The routes of the pages and scripts.
  var routes: [Route] {
    [
      .reading("/utag/{account}/{profile}/{environment}/mobile.html") { request in
        self.answer(request, type: "text/html; charset=utf-8") { ($0.page, $0.pageTag) }
      },
      .reading("/utag/{account}/{profile}/{environment}/utag.js") { request in
        self.answer(request, type: "text/javascript; charset=utf-8") { ($0.script, $0.scriptTag) }
      },
    ]
  }

  private func answer(
    _ request: ServerRequest, type: String, _ part: (Served) -> (body: [UInt8], tag: String)
  ) -> ServerResponse {
    let names = ["account", "profile", "environment"].map { request.parameters[$0] ?? "" }
    guard let served = served(names[0], names[1], names[2]) else {
      return .error(404, "NOT_FOUND", "there is no such web tag profile")
    }
    let (body, tag) = part(served)
    let headers: HTTPHeaders = ["ETag": tag, "Cache-Control": "no-cache"]
    if ContentNegotiation.matches(tag, ifNoneMatch: request.headers["If-None-Match"]) {
      return ServerResponse(status: 304, headers: headers)
    }
    var response = ServerResponse(status: 200, headers: headers, body: body)
    response.headers["Content-Type"] = type
    return response
  }
}
