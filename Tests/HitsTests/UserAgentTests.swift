import Hits
import Testing

@Suite("User agent") struct UserAgentTests {
  @Test("HQ-601: version, system, model and language in the documented form")
  func text() {
    let device = FixedDevice(platform: "iOS", osVersion: "18.2", model: "iPhone17,1", language: "vi-VN")
    #expect(UserAgent.text(version: "1.0.0", device: device) == "Tagworks/1.0.0 (iOS 18.2; iPhone17,1; vi-VN)")
  }

  @Test("HQ-601: a device's name cannot break the header")
  func hostile() {
    let device = FixedDevice(platform: "Linux", osVersion: "6", model: "A)\r\nX: (é👍", language: "en")
    #expect(UserAgent.text(version: "1", device: device) == "Tagworks/1 (Linux 6; AX: ; en)")
  }
}
