import Foundation
import GzipFormat
import Testing

@Suite("Gzip") struct GzipTests {
  @Test("another program unpacks what was compressed", arguments: [0, 1, 1024, 100_000])
  func roundTrip(count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
    let packed = try #require(Gzip.compress(bytes))
    let gunzip = Process()
    gunzip.executableURL = URL(fileURLWithPath: "/bin/gzip")
    gunzip.arguments = ["-dc"]
    let (input, output) = (Pipe(), Pipe())
    gunzip.standardInput = input
    gunzip.standardOutput = output
    try gunzip.run()
    DispatchQueue.global().async {
      input.fileHandleForWriting.write(Data(packed))
      try? input.fileHandleForWriting.close()
    }
    #expect(Array(output.fileHandleForReading.readDataToEndOfFile()) == bytes)
    gunzip.waitUntilExit()
    #expect(gunzip.terminationStatus == 0)
  }
}
