// The app's own code behind function-call macros and tags (TM-660, TM-820).
import Hits
import TagManager

struct NoSink: HitSink {
  func send(_ hit: HitBuilder, tracker: String?) -> SendReceipt { SendReceipt(state: .dryRun) }
}

struct PurchaseHandler: FunctionCallTagHandler {
  func execute(_ name: String, parameters: [String: Value]) throws {
    print(name, parameters["order"] ?? .absent)
  }
}

let tagManager = TagManager(ports: TagManager.Ports(sink: NoSink()))
let container = try tagManager.openContainer("GTM-SHOP")

// snippet.show
container.handlers.onMacro("formatPrice") { parameters in
  guard case .double(let amount)? = parameters["amount"] else { return nil }
  return .string("\(amount) EUR")
}
container.handlers.setTagHandler(PurchaseHandler(), for: "celebrate")
