/// The text by which our requests name themselves (HQ-601).
public enum UserAgent {
  /// `Tagworks/<version> (<os> <os version>; <model>; <language>)`, in visible ASCII.
  public static func text(version: String, device: some Device) -> String {
    let facts = "\(device.platform) \(device.osVersion); \(device.model); \(device.language)"
    // A device's name is the maker's or the user's text: what could break a header or the comment is left out.
    let plain = facts.unicodeScalars.filter { (0x20...0x7E).contains($0.value) && !"()\\".unicodeScalars.contains($0) }
    return "Tagworks/\(version) (\(String(String.UnicodeScalarView(plain))))"
  }
}
