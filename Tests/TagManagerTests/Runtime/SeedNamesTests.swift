import Hits
import Testing

@testable import TagManager

@Suite("Names and numbers of the original SDK")
struct SeedNamesTests {
  @Test("TM-1300: raw values of enumerations are the original SDK's")
  func rawValues() {
    #expect([OpenPreference.nonDefault, .fresh].map(\.rawValue) == [0, 1])
    #expect([RefreshType.saved, .network].map(\.rawValue) == [0, 1])
    #expect([DispatchResult.noData, .good, .error].map(\.rawValue) == [0, 1, 2])
    #expect([LogLevel.verbose, .debug, .info, .warning, .error, .none].map(\.rawValue) == [0, 1, 2, 3, 4, 5])
    let reasons: [RefreshFailure.Reason] = [
      .noSavedContainer, .ioError, .noNetwork, .networkError, .serverError, .unknownError,
    ]
    #expect(reasons.map(\.rawValue) == [0, 1, 2, 3, 4, 5])
  }

  @Test("TM-1210: the configuration's defaults")
  func defaults() {
    let configuration = TagManager.Configuration()
    #expect(configuration.server == nil)
    #expect(configuration.environment == "live")
    #expect(configuration.environmentToken == nil)
    #expect(configuration.earlyEvents == .buffer(limit: 100, maximumAge: .seconds(60)))
    #expect(configuration.savedContainerPolicy == .newest)
    #expect(configuration.signature == .off)
    #expect(configuration.timeout == .seconds(2))
    #expect(!configuration.allowsInsecureServer)
    #expect(!configuration.allowsInsecureTagRequests)
    #expect(configuration.allowedHosts == nil)
    #expect(configuration.callbackExecutor == nil)
    #expect(configuration.traceDetail == .standard)
    #expect(configuration.previewTraces)
  }
}
