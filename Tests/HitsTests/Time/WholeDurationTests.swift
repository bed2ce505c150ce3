import Hits
import Testing

@Suite("Whole durations")
struct WholeDurationTests {
  @Test(
    "A duration's milliseconds are cut off and held at the bounds",
    arguments: [
      (Duration.zero, Int64(0)), (.milliseconds(1), 1), (.microseconds(1_999), 1), (.seconds(-2), -2_000),
      (.seconds(Int64.max), .max), (.seconds(Int64.min), .min),
    ])
  func milliseconds(duration: Duration, whole: Int64) {
    #expect(duration.wholeMilliseconds == whole)
  }

  @Test("Nanoseconds, too")
  func nanoseconds() {
    #expect(Duration.microseconds(3).wholeNanoseconds == 3_000)
    #expect(Duration.seconds(Int64.max / 1_000).wholeNanoseconds == .max)
  }
}
