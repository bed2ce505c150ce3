#if !canImport(Darwin)
  import Hits

  /// An answer as it comes in, within its bounds.
  struct CurlAnswer {
    private(set) var headers = HTTPHeaders()
    private(set) var isOverLimit = false
    /// Whether the empty line after the header fields was seen.
    private(set) var isHeadWhole = false
    private var body: [UInt8] = []
    private var headerBytes = 0
    private let limit: Int

    /// The most bytes of all header fields together.
    private static let headerLimit = 256 << 10

    init(limit: Int = 0) { self.limit = limit }

    /// Takes a piece of the decompressed body.
    ///
    /// - Returns: the bytes taken; fewer than given stops the transfer.
    mutating func append(body bytes: UnsafeRawBufferPointer) -> Int {
      guard bytes.count <= limit - body.count else {
        isOverLimit = true
        return 0
      }
      body.append(contentsOf: bytes)
      return bytes.count
    }

    /// Takes one line of a head; the status line of a new head forgets the one before, such as `100 Continue`.
    mutating func append(header line: UnsafeRawBufferPointer) -> Int {
      headerBytes += line.count
      guard headerBytes <= Self.headerLimit else {
        isOverLimit = true
        return 0
      }
      if line.starts(with: "HTTP/".utf8) {
        headers = HTTPHeaders()
        isHeadWhole = false
      } else if line.elementsEqual("\r\n".utf8) || line.elementsEqual("\n".utf8) {
        isHeadWhole = true
      } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
        headers.add(Self.text(line[(colon + 1)...]), for: Self.text(line[..<colon]))
      }
      return line.count
    }

    mutating func takeBody() -> [UInt8] {
      defer { body = [] }
      return body
    }

    private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
      func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A }
      guard let first = bytes.firstIndex(where: { !isBlank($0) }), let last = bytes.lastIndex(where: { !isBlank($0) })
      else { return "" }
      return String(decoding: bytes[first...last], as: UTF8.self)
    }
  }
#endif
