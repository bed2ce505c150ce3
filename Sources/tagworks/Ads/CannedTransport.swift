import Digests
import Foundation
import Hits

/// Answers from a folder instead of a network: `map.tsv` names a file by URL, or a file is named by the URL's SHA-256.
///
///     map.tsv = { url TAB file [TAB status] LF }
struct CannedTransport: HTTPTransport {
  private static let limit = 64 << 20

  private let folder: String
  private let files: [String: (file: String, status: Int)]

  init(folder: String) throws(CommandFailure) {
    self.folder = folder
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
      throw CommandFailure("\(folder): there is no such folder", status: .unavailable)
    }
    var files: [String: (file: String, status: Int)] = [:]
    let map = folder + "/map.tsv"
    if FileManager.default.fileExists(atPath: map) {
      let text = String(decoding: try InputFile(path: map).data(limit: Self.limit), as: UTF8.self)
      for line in text.split(separator: "\n") {
        let cells = line.split(separator: "\t").map(String.init)
        guard cells.count >= 2 else { throw CommandFailure("\(map): a line is not 'url TAB file'") }
        files[cells[0]] = (cells[1], cells.count > 2 ? Int(cells[2]) ?? 200 : 200)
      }
    }
    self.files = files
  }

  func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    let digest = Digest.sha256(Array(request.url.utf8)).map { byte in
      String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }.joined()
    let (name, status) = files[request.url] ?? (digest, 200)
    for path in ["\(folder)/\(name)", "\(folder)/\(name).xml"] where FileManager.default.fileExists(atPath: path) {
      do {
        let data = try InputFile(path: path).data(limit: request.responseLimit + 1)
        guard data.count <= request.responseLimit else {
          throw TransportError(phase: .uncertain, code: .tooLarge, message: "The answer is too long.")
        }
        return HTTPResponse(status: status, body: Array(data), url: request.url)
      } catch let error as TransportError {
        throw error
      } catch {
        throw TransportError(phase: .notSent, code: .connection, message: "The canned answer cannot be read.")
      }
    }
    return HTTPResponse(status: files[request.url] == nil ? 404 : status, url: request.url)
  }
}
