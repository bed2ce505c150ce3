import Foundation
import Hits
import Synchronization
import TagManager

/// A tag manager with one open container and a handler that counts the tags that fire.
final class RunningManager: Sendable {
  let manager: TagManager
  let container: Container
  private let fired = Counter()

  init(_ content: Data, detail: TraceDetail = .standard) throws {
    manager = TagManager(
      configuration: TagManager.Configuration(traceDetail: detail),
      ports: TagManager.Ports(
        sink: ForgetfulSink(), defaultContainers: InMemoryDefaultContainers([ContainerText.id.text: content])))
    manager.refreshMode = .defaultContainer
    container = try manager.openContainer(ContainerText.id)
    guard container.origin == .default else { throw BenchmarkFailure("\(container.diagnostics)") }
    manager.handlers.onTag("note") { [fired] _ in fired.increase() }
  }

  convenience init(_ content: String) throws { try self.init(Data(content.utf8)) }

  var firedTags: Int { fired.value }
  var dataLayer: DataLayer { manager.dataLayer }
}

/// Takes every hit and keeps none.
struct ForgetfulSink: HitSink {
  func send(_ hit: HitBuilder, tracker: String?) -> SendReceipt { SendReceipt(id: nil, state: .dryRun) }
}

private final class Counter: Sendable {
  private let count = Atomic(0)

  var value: Int { count.load(ordering: .relaxed) }
  func increase() { count.wrappingAdd(1, ordering: .relaxed) }
}
