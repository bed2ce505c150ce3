import Foundation
import Hits
import TestSupport

/// Serves the clips of `Scripts/media` on loopback, whole or with one fault each.
///
/// `/file`, `/norange/file`, `/status/N`, `/silent` (no answer), `/headers/file` (then nothing), `/cut/N/file` (the end
/// after N bytes), `/stall/N/file` (nothing after N bytes), `/trickle/file`.
final class MediaServer: Sendable {
  private let server: LoopbackServer

  /// Nil when the clips cannot be made; says why on standard error.
  init?() throws {
    guard let folder = try ProjectScript.output(of: "media") else { return nil }
    server = try LoopbackServer { Self.answer($0, folder) }
  }

  func url(_ path: String) -> String { server.url("/" + path) }

  var requests: [String] { server.requests.map(\.target) }

  private static func answer(_ request: LoopbackServer.Request, _ folder: String) -> LoopbackServer.Answer {
    let path = String(request.target.dropFirst().prefix { $0 != "?" })
    let parts = path.split(separator: "/", maxSplits: 2).map(String.init)
    switch parts.first {
    case "status": return .response(status: Int(parts.last ?? "") ?? 0)
    case "silent": return .hang()
    case "beacon": return .response(status: 204)
    case "headers": return .hang(after: head(of: bytes(folder, parts.dropFirst().joined(separator: "/")) ?? []))
    case "norange": return whole(folder, parts.dropFirst().joined(separator: "/"), request)
    case "trickle":
      let body = bytes(folder, parts.dropFirst().joined(separator: "/")) ?? []
      return .slow(head(of: body) + body, pause: .milliseconds(1))
    case "cut", "stall":
      guard parts.count == 3, let count = Int(parts[1]), let body = bytes(folder, parts[2]) else {
        return .response(status: 404)
      }
      let sent = head(of: body) + body.prefix(count)
      return parts[0] == "cut" ? .bytes(sent) : .hang(after: sent)
    default: return whole(folder, path, request, ranges: true)
    }
  }

  private static func bytes(_ folder: String, _ name: String) -> [UInt8]? {
    guard !name.contains("..") else { return nil }
    return FileManager.default.contents(atPath: folder + "/" + name).map(Array.init)
  }

  private static func head(of body: [UInt8]) -> [UInt8] {
    Array("HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\nContent-Length: \(body.count)\r\n\r\n".utf8)
  }

  private static func type(of name: String) -> String {
    let types = [
      "mp4": "video/mp4", "webm": "video/webm", "m4a": "audio/mp4", "m3u8": "application/vnd.apple.mpegurl",
      "m3u": "audio/x-mpegurl", "ts": "video/mp2t", "mpd": "application/dash+xml", "png": "image/png",
    ]
    return types[name.split(separator: ".").last.map(String.init) ?? ""] ?? "application/octet-stream"
  }

  private static func whole(
    _ folder: String, _ name: String, _ request: LoopbackServer.Request, ranges: Bool = false
  ) -> LoopbackServer.Answer {
    guard let body = bytes(folder, name) else { return .response(status: 404) }
    var headers: HTTPHeaders = ["Content-Type": type(of: name)]
    guard ranges else { return .response(status: 200, headers: headers, body: body) }
    headers["Accept-Ranges"] = "bytes"
    guard let range = request.headers["Range"], range.hasPrefix("bytes="),
      let start = Int(range.dropFirst(6).prefix { $0 != "-" }), start < body.count
    else { return .response(status: 200, headers: headers, body: body) }
    let last = min(Int(range.split(separator: "-").dropFirst().first ?? "") ?? .max, body.count - 1)
    headers["Content-Range"] = "bytes \(start)-\(last)/\(body.count)"
    return .response(status: 206, headers: headers, body: Array(body[start...max(start, last)]))
  }
}
