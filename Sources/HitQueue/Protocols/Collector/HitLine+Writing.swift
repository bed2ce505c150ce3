package import Hits

/// How a stored hit becomes a line: its fields go from one form to the other without becoming texts on the way.
extension HitLine {
  /// Appends the line of a stored hit, without a line feed.
  ///
  /// - Returns: false for a beacon and for bytes that are no hit; nothing is appended then.
  package static func append(
    _ hit: QueuedHit, tracker: String?, at now: HitTime, to bytes: inout [UInt8]
  ) -> Bool {
    guard let told = Told(hit) else { return false }
    let name = tracker ?? ""
    let line = told.form.withUnsafeBytes { form in
      let form = UnsafeRawBufferPointer(rebasing: form.dropFirst())
      return FormLine(form).map { parts in
        // No byte becomes more than seven, with what stands around it.
        [UInt8](upTo: frame + 7 * form.count + told.members.count + 6 * name.utf8.count) { writer in
          write(hit, parts, tracker: name, told.members, at: now, to: &writer)
        }
      }
    }
    guard let line = line ?? nil else { return false }
    bytes += line
    return true
  }

  /// The most bytes of a hit's line, at any time and of any tracker; nil for a beacon and for bytes that are no hit.
  static func bound(of hit: QueuedHit) -> Int? {
    guard let told = Told(hit) else { return nil }
    return told.form.withUnsafeBytes { longest(UnsafeRawBufferPointer(rebasing: $0.dropFirst())) } + told.members.count
  }

  /// All members but those of the fields, with names, numbers of the most digits, and a tracker's name of 64 bytes that all
  /// need an escape.
  private static let frame = 512

  /// The most bytes that the line of a form can have.
  private static func longest(_ form: UnsafeRawBufferPointer) -> Int {
    growth.withUnsafeBufferPointer { growth in
      form.reduce(frame + form.count) { $0 + Int(growth[Int($1)]) }
    }
  }

  /// By how much each byte of a form can be longer on the line: by nothing where it stays as it is, or stands for another.
  ///
  /// Four quotes, a colon and a comma take the place of `=` and `&`; `%`, with the two digits after it, becomes one byte,
  /// which JSON may write as six, and so may any byte that no form has.
  private static let growth: [UInt8] = (UInt8.min...UInt8.max).map { byte in
    URIEscape.hit.escape(String(UnicodeScalar(byte))).utf8.count == 1 || byte == UInt8(ascii: "=") ? 0 : 5
  }

  private static func write(
    _ hit: QueuedHit, _ form: FormLine, tracker: String, _ members: [UInt8], at now: HitTime,
    to writer: inout ByteWriter
  ) {
    writer.put("{\"id\":\"")
    writer.put(hit.id)
    if hit.sequence > 0, hit.sequence < .max {
      writer.put("\",\"seq\":")
      writer.put(decimal: hit.sequence)
      writer.put(",\"kind\":\"")
    } else {
      writer.put("\",\"kind\":\"")
    }
    writer.put(form.kind)
    writer.put("\",\"property\":\"")
    writer.put(json: form.property)
    if !tracker.isEmpty {
      writer.put("\",\"tracker\":\"")
      writer.put(json: tracker)
    }
    if let client = form.client {
      writer.put("\",\"client\":\"")
      writer.put(json: client)
    }
    if let user = form.user {
      writer.put("\",\"user\":\"")
      writer.put(json: user)
    }
    writer.put("\"")
    if let time = hit.wallTime(at: now) {
      writer.put(",\"time\":")
      writer.put(decimal: time)
    }
    writer.put(",\"age\":")
    writer.put(decimal: hit.age(at: now))
    form.writeFields(to: &writer)
    writer.put(members)
    writer.put(",\"lib\":\"tw")
    writer.put(text: HitQueueInfo.version)
    writer.put("\"}")
  }

  /// What a stored hit tells: a form, and the members of a line that no form has.
  private struct Told {
    /// With its mark before it.
    var form: [UInt8]
    /// Such as `,"name":…,"params":…,"consent":…`.
    var members: [UInt8] = []

    init?(_ hit: QueuedHit) {
      form = hit.body
      guard !hit.isForm || hit.consent != .granted else { return }
      var writer = JSONWriter()
      if !hit.isForm {
        guard let content = HitContent(hit), case .custom(let name) = content.kind else { return nil }
        form = HitBody.form(
          kind: "custom", property: content.property, clientID: content.clientID ?? "", userID: content.userID,
          fields: [CleanField](cleaning: content.fields))
        writer.put(",\"name\":")
        writer.write(name)
        writer.put(",\"params\":")
        writer.write(.map(content.parameters))
      }
      if hit.consent != .granted {
        writer.put(",\"consent\":")
        writer.write(.map(hit.consent.words.mapValues { .string($0) }))
      }
      members = writer.bytes
    }
  }
}
