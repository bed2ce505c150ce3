import Foundation

/// A server with a certificate of its own making, which no one trusts, by OpenSSL's program.
package final class TLSServer: Sendable {
  package static let program = ["/usr/bin/openssl", "/usr/local/bin/openssl"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  package let port: UInt16
  /// The file of its certificate.
  package let certificate: String
  /// The SHA-256 digest of its public key, in base64.
  package let keyDigest: String
  private let directory: TemporaryDirectory
  private let process: Process

  package init() async throws {
    let directory = try TemporaryDirectory()
    self.directory = directory
    let (key, certificate) = (directory.file("key.pem"), directory.file("certificate.pem"))
    self.certificate = certificate
    _ = try await Self.output(of: [
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key, "-out",
      certificate, "-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost",
    ])
    let publicKey = directory.file("public.der")
    _ = try await Self.output(of: ["pkey", "-in", key, "-pubout", "-outform", "DER", "-out", publicKey])
    keyDigest = try await Self.output(of: ["dgst", "-sha256", "-binary", publicKey]).base64EncodedString()
    let serving = try Self.start(["s_server", "-accept", "127.0.0.1:0", "-www", "-key", key, "-cert", certificate])
    process = serving.process
    // It says where it listens: ACCEPT 127.0.0.1:40123
    let said = try await blocking { () throws -> String in
      var text = ""
      while !text.contains("ACCEPT ") || !text.hasSuffix("\n") {
        let data = serving.output.fileHandleForReading.availableData
        guard !data.isEmpty else { throw ContractFailure(description: "openssl does not serve: \(text)") }
        text += String(decoding: data, as: UTF8.self)
      }
      return text
    }
    guard let port = said.split(whereSeparator: \.isWhitespace).last?.split(separator: ":").last.flatMap({ UInt16($0) })
    else { throw ContractFailure(description: "openssl listens nowhere: \(said)") }
    self.port = port
  }

  // A thread of the tests may have SIGTERM blocked, and its children then have it too.
  deinit { kill(process.processIdentifier, SIGKILL) }

  private static func output(of arguments: [String]) async throws -> Data {
    let running = try start(arguments)
    return try await blocking { running.output.fileHandleForReading.readDataToEndOfFile() }
  }

  private static func start(_ arguments: [String]) throws -> (process: Process, output: Pipe) {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: program ?? "")
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    return (process, output)
  }
}
