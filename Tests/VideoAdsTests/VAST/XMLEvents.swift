@testable import VideoAds

/// What a reader of XML tells of a document: one event a line, adjacent characters joined.
enum XMLEvents {
  /// The events of our reader.
  static func ours(_ bytes: [UInt8]) -> [String] {
    var reader = XMLReader(CharacterDecoding(bytes).text)
    var events: [String] = []
    var names: [String] = []
    var text = ""
    func flush() {
      if !text.isEmpty { events.append("text \(text.debugDescription)") }
      text = ""
    }
    while true {
      switch reader.next() {
      case .start:
        flush()
        guard let element = reader.open.last else { continue }
        let name = String(decoding: reader.bytes[element.name], as: UTF8.self)
        names.append(name)
        events.append("start \(name)")
        for attribute in reader.attributes {
          let name = String(decoding: reader.bytes[attribute.name], as: UTF8.self)
          if name == "xmlns" || name.hasPrefix("xmlns:") { continue }
          events.append("attribute \(name) \(attribute.value.string(in: reader.bytes).debugDescription)")
        }
      case .text(let piece) where piece.isSection:
        flush()
        events.append("section \(piece.string(in: reader.bytes).debugDescription)")
      case .text(let piece): text += piece.string(in: reader.bytes)
      case .end:
        flush()
        events.append("end \(names.popLast() ?? "")")
      case .endOfInput:
        flush()
        return events
      }
    }
  }
}

#if canImport(CXML2)
  import CXML2

  extension XMLEvents {
    /// The events of libxml2's SAX2 interface; nil when it finds the document not well-formed.
    static func libxml2(_ bytes: [UInt8]) -> [String]? {
      let recorder = Recorder()
      var handler = xmlSAXHandler()
      handler.initialized = UInt32(XML_SAX2_MAGIC)
      handler.startElementNs = { context, name, prefix, _, _, _, count, _, attributes in
        Recorder.of(context)?.start(name, prefix, count, attributes)
      }
      handler.endElementNs = { context, name, prefix, _ in Recorder.of(context)?.end(name, prefix) }
      handler.characters = { context, text, length in Recorder.of(context)?.characters(text, length) }
      handler.ignorableWhitespace = handler.characters
      handler.cdataBlock = { context, text, length in Recorder.of(context)?.section(text, length) }
      let result = bytes.withUnsafeBytes { buffer in
        xmlSAXUserParseMemory(
          &handler, Unmanaged.passUnretained(recorder).toOpaque(), buffer.bindMemory(to: CChar.self).baseAddress,
          Int32(buffer.count))
      }
      recorder.flush()
      return result == 0 || result == Int32(XML_NS_ERR_UNDEFINED_NAMESPACE.rawValue) ? recorder.events : nil
    }
  }

  private final class Recorder {
    private(set) var events: [String] = []
    private var text = ""

    static func of(_ context: UnsafeMutableRawPointer?) -> Recorder? {
      context.map { Unmanaged<Recorder>.fromOpaque($0).takeUnretainedValue() }
    }

    func flush() {
      if !text.isEmpty { events.append("text \(text.debugDescription)") }
      text = ""
    }

    func start(
      _ name: UnsafePointer<xmlChar>?, _ prefix: UnsafePointer<xmlChar>?, _ count: Int32,
      _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
    ) {
      flush()
      events.append("start \(Self.qualified(name, prefix))")
      guard let attributes else { return }
      // Five pointers an attribute: local name, prefix, namespace, begin and end of the value.
      for index in 0..<Int(count) {
        let field = attributes + 5 * index
        guard let begin = field[3], let end = field[4] else { continue }
        let value = String(decoding: UnsafeBufferPointer(start: begin, count: end - begin), as: UTF8.self)
        events.append("attribute \(Self.qualified(field[0], field[1])) \(value.debugDescription)")
      }
    }

    func end(_ name: UnsafePointer<xmlChar>?, _ prefix: UnsafePointer<xmlChar>?) {
      flush()
      events.append("end \(Self.qualified(name, prefix))")
    }

    func characters(_ bytes: UnsafePointer<xmlChar>?, _ count: Int32) { text += Self.string(bytes, count) }

    func section(_ bytes: UnsafePointer<xmlChar>?, _ count: Int32) {
      flush()
      events.append("section \(Self.string(bytes, count).debugDescription)")
    }

    private static func string(_ bytes: UnsafePointer<xmlChar>?, _ count: Int32) -> String {
      String(decoding: UnsafeBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
    }

    private static func qualified(_ name: UnsafePointer<xmlChar>?, _ prefix: UnsafePointer<xmlChar>?) -> String {
      let local = name.map { String(cString: $0) } ?? ""
      return prefix.map { String(cString: $0) + ":" + local } ?? local
    }
  }
#endif
