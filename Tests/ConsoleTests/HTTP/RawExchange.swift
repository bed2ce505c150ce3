import Foundation
import TestSupport

/// Bytes to a port and what comes back, as a careless client would do it.
enum RawExchange {
  /// Sends pieces one after another, then reads to the end of the connection.
  static func answer(to pieces: [String], port: UInt16) async throws -> String {
    try await blocking {
      let socket = try LoopbackSocket.connect(to: port)
      defer { socket.close() }
      for piece in pieces { socket.send(Array(piece.utf8)) }
      return String(decoding: socket.receiveAll(), as: UTF8.self)
    }
  }

  /// The status codes of all answers in a text.
  static func statuses(_ text: String) -> [Int] {
    text.components(separatedBy: "HTTP/1.1 ").dropFirst().compactMap { Int($0.prefix(3)) }
  }
}
