import Foundation
import Hits
import TestSupport

/// nginx in a process of its own, which delivers one directory by the configuration that was written with it.
final class Nginx {
  let url: String
  private let process = Process()
  private let errors = Pipe()
  private let place: TemporaryDirectory

  /// Starts nginx on a free port and waits until it serves; nil, with a printed reason, where there is none.
  static func serving(_ site: String) async throws -> Nginx? {
    guard let program = try ProjectScript.output(of: "nginx") else {
      print("nginx: there is none; the static publication was not served by it")
      return nil
    }
    return try await Nginx(program, site)
  }

  private init(_ program: String, _ site: String) async throws {
    place = try TemporaryDirectory()
    // nginx takes no port 0.
    let port = try LoopbackSocket.freePort()
    url = "http://127.0.0.1:\(port)"
    let configuration = """
      daemon off;
      master_process on;
      worker_processes 1;
      pid \(place.path)/nginx.pid;
      error_log stderr notice;
      events { worker_connections 64; }
      http {
        access_log off;
        client_body_temp_path \(place.path)/body;
        proxy_temp_path \(place.path)/proxy;
        fastcgi_temp_path \(place.path)/fastcgi;
        uwsgi_temp_path \(place.path)/uwsgi;
        scgi_temp_path \(place.path)/scgi;
        include \(site)/nginx/maps.conf;
        server {
          listen 127.0.0.1:\(port);
          root \(site);
          include \(site)/nginx/locations.conf;
        }
      }
      """
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = ["-e", "stderr", "-p", place.path, "-c", try place.write(configuration, to: "nginx.conf")]
    process.standardError = errors
    try process.run()
    try await notice(of: ["start worker process "])
  }

  /// Makes nginx read its configuration again, and waits until it serves by it.
  func reload() async throws {
    kill(process.processIdentifier, SIGHUP)
    // The new worker is there, and the old one has let go of its connections.
    try await notice(of: ["start worker process ", "exited with code 0"])
  }

  func stop() async throws {
    process.terminate()
    try await blocking { [process] in process.waitUntilExit() }
  }

  deinit { if process.isRunning { process.terminate() } }

  /// Waits until it has said all of these since the last time.
  private func notice(of words: [String]) async throws {
    let handle = errors.fileHandleForReading
    var text = ""
    while !words.allSatisfy({ text.contains($0) }) {
      let piece = try await blocking { handle.availableData }
      guard !piece.isEmpty else { throw Failed(text: text) }
      text += String(decoding: piece, as: UTF8.self)
    }
  }

  private struct Failed: Error, CustomStringConvertible {
    var text: String
    var description: String { "nginx ended: \(text)" }
  }
}
