import Hits

/// Loads ads, any number of requests at once (VA-100).
///
///     let loader = AdsLoader(environment: environment)
///     let manager = try await loader.load(AdsRequest(adTagURL: tag, contentPlayhead: playhead))
///     manager.delegate = self
///     manager.initialize()
@MainActor
public final class AdsLoader {
  /// Hears what becomes of `requestAds`.
  public weak var delegate: (any AdsLoaderDelegate)?
  /// The settings, as they were when the loader was made.
  public let settings: AdsSettings
  /// The version of the library.
  public static let version = ProductInfo.version

  private struct Live {
    weak var manager: AdsManager?
  }

  private let environment: AdsEnvironment
  /// Of all its requests (VA-205).
  private let cookies = Locked(AdCookieJar())
  private var requests: [AdsRequestHandle] = []
  private var managers: [Live] = []

  /// Makes a loader; settings get a new random session id unless they have one.
  public init(settings: AdsSettings? = nil, environment: AdsEnvironment) {
    self.settings = settings ?? AdsSettings(sessionID: environment.random.uuidText())
    self.environment = environment
  }

  /// A new random id of a session, a UUID in small letters (VA-104).
  public nonisolated static func newSessionID() -> String { SystemRandomSource().uuidText() }

  deinit { for request in requests { request.cancel() } }

  /// Loads the ads of a request (VA-113).
  ///
  /// - Throws: when nothing can play (VA-114), and code `cancelled` when the task is cancelled.
  public func load(_ request: AdsRequest) async throws(AdError) -> AdsManager { try await load(request, trace: nil) }

  /// Loads the ads of a request, and hands every record on as it is made, also those of the manager (VA-1502).
  package func load(
    _ request: AdsRequest, trace: (@MainActor (PlayRecord) -> Void)?
  ) async throws(AdError) -> AdsManager {
    let loading = RequestLoading(
      settings: settings, environment: environment, request: request, cookies: cookies, trace: trace)
    let manager = try await loading.load()
    keep(manager)
    return manager
  }

  /// Loads the ads of a request, and tells the delegate once, never from inside this call (VA-112).
  @discardableResult
  public func requestAds(with request: AdsRequest) -> AdsRequestHandle {
    let loading = RequestLoading(
      settings: settings, environment: environment, request: request, cookies: cookies)
    let handle = AdsRequestHandle(userContext: request.userContext)
    requests.append(handle)
    handle.task = Task { [weak self] in
      let result: Result<AdsManager, AdError>
      do throws(AdError) { result = .success(try await loading.load()) } catch { result = .failure(error) }
      self?.finish(handle, result)
    }
    return handle
  }

  private func finish(_ handle: AdsRequestHandle, _ result: Result<AdsManager, AdError>) {
    requests.removeAll { $0 === handle }
    if handle.isCancelled { return }
    switch result {
    case .success(let manager):
      keep(manager)
      delegate?.adsLoader(self, adsLoadedWith: AdsLoadedData(manager, handle))
    case .failure(let error): delegate?.adsLoader(self, failedWith: AdLoadingErrorData(error, handle))
    }
  }

  private func keep(_ manager: AdsManager) {
    managers.removeAll { $0.manager == nil }
    managers.append(Live(manager: manager))
  }

  /// Tells every manager of the loader that content ended: post-rolls play now (VA-110).
  ///
  /// Call it at the end of content's media only, never at the end of an ad's.
  public func contentComplete() { for live in managers { live.manager?.contentComplete() } }
}

/// Hears what becomes of a loader's requests.
@MainActor
public protocol AdsLoaderDelegate: AnyObject {
  /// Tells that ads can play.
  func adsLoader(_ loader: AdsLoader, adsLoadedWith data: AdsLoadedData)
  /// Tells that nothing can play: content starts.
  func adsLoader(_ loader: AdsLoader, failedWith data: AdLoadingErrorData)
}

/// A request under way.
@MainActor
public final class AdsRequestHandle: Sendable {
  /// What the request carried.
  public let userContext: (any Sendable)?
  /// Tells requests apart.
  public nonisolated var id: ObjectIdentifier { ObjectIdentifier(self) }
  private nonisolated let state = Locked(State())

  private struct State {
    var task: Task<Void, Never>?
    var isCancelled = false
  }

  init(userContext: (any Sendable)?) { self.userContext = userContext }

  var task: Task<Void, Never>? {
    get { state.withLock { $0.task } }
    set { state.withLock { $0.task = newValue } }
  }

  nonisolated var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Ends the request: sockets close, the delegate hears nothing (VA-109).
  public nonisolated func cancel() {
    let task = state.withLock { state in
      state.isCancelled = true
      return state.task
    }
    task?.cancel()
  }
}

/// Ads that can play.
@MainActor
public struct AdsLoadedData {
  /// Plays them.
  public let adsManager: AdsManager
  /// What the request carried.
  public let userContext: (any Sendable)?
  /// The request.
  public let request: AdsRequestHandle
  /// What was found out about the documents.
  public let diagnostics: [AdDiagnostic]

  init(_ manager: AdsManager, _ handle: AdsRequestHandle) {
    adsManager = manager
    userContext = handle.userContext
    request = handle
    diagnostics = manager.diagnostics
  }
}

/// A request without ads.
@MainActor
public struct AdLoadingErrorData {
  /// Why.
  public let adError: AdError
  /// What the request carried.
  public let userContext: (any Sendable)?
  /// The request.
  public let request: AdsRequestHandle

  init(_ error: AdError, _ handle: AdsRequestHandle) {
    adError = error
    userContext = handle.userContext
    request = handle
  }
}
