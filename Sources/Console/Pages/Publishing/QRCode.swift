import CQREncode
import Foundation

/// A QR code of a text, drawn as a picture of its own.
struct QRCode: Sendable {
  /// Rows of dark and light squares.
  private let rows: [[Bool]]

  /// Makes a code; nil for a text that is too long for one.
  init?(_ text: String) {
    guard text.utf8.count <= 1000, let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else { return nil }
    defer { QRcode_free(code) }
    let width = Int(code.pointee.width)
    guard let data = code.pointee.data, width > 0 else { return nil }
    rows = (0..<width).map { row in (0..<width).map { data[row * width + $0] & 1 == 1 } }
  }

  /// Squares on a side.
  var width: Int { rows.count }

  /// Whether a square is dark.
  func isDark(_ row: Int, _ column: Int) -> Bool { rows[row][column] }

  /// The light margin that readers need, in squares.
  private static let margin = 4

  /// An SVG image in a URL: dark on light, whatever the page is.
  var imageURL: String {
    let size = width + 2 * Self.margin
    var path = ""
    for (row, squares) in rows.enumerated() {
      for (column, isDark) in squares.enumerated() where isDark {
        path += "M\(column + Self.margin) \(row + Self.margin)h1v1h-1z"
      }
    }
    let svg =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(size) \(size)\" shape-rendering=\"crispEdges\">"
      + "<path fill=\"#fff\" d=\"M0 0h\(size)v\(size)H0z\"/><path fill=\"#000\" d=\"\(path)\"/></svg>"
    return "data:image/svg+xml;base64," + Data(svg.utf8).base64EncodedString()
  }
}
