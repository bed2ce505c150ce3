import Foundation
import Hits

/// Reads the requests of one connection, with bodies of a declared length.
struct LoopbackRequestReader {
  let socket: LoopbackSocket
  private var buffer: [UInt8] = []

  init(socket: LoopbackSocket) { self.socket = socket }

  /// The next request; nil at the end of the connection.
  mutating func next(connection: Int) -> LoopbackServer.Request? {
    while true {
      if let end = Self.endOfHead(buffer) {
        var lines = String(decoding: buffer[..<end], as: UTF8.self).components(separatedBy: "\r\n")[...]
        let words = lines.removeFirst().split(separator: " ").map(String.init)
        guard words.count == 3 else { return nil }
        var headers = HTTPHeaders()
        for line in lines {
          guard let colon = line.firstIndex(of: ":") else { continue }
          headers.add(
            line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces), for: String(line[..<colon]))
        }
        buffer.removeFirst(end + 4)
        guard let body = take(headers["Content-Length"].flatMap { Int($0) } ?? 0) else { return nil }
        return LoopbackServer.Request(
          method: words[0], target: words[1], headers: headers, body: body, connection: connection)
      }
      let piece = socket.receive(65_536)
      guard !piece.isEmpty else { return nil }
      buffer += piece
    }
  }

  private mutating func take(_ count: Int) -> [UInt8]? {
    while buffer.count < count {
      let piece = socket.receive(65_536)
      guard !piece.isEmpty else { return nil }
      buffer += piece
    }
    defer { buffer.removeFirst(count) }
    return Array(buffer.prefix(count))
  }

  private static func endOfHead(_ bytes: [UInt8]) -> Int? {
    guard bytes.count >= 4 else { return nil }
    return (0...(bytes.count - 4)).first { at in
      bytes[at] == 13 && bytes[at + 1] == 10 && bytes[at + 2] == 13 && bytes[at + 3] == 10
    }
  }
}
