// Why did this tag not fire? (TM-1112)
import Hits
import TagManager

struct NoSink: HitSink {
  func send(_ hit: HitBuilder, tracker: String?) -> SendReceipt { SendReceipt(state: .dryRun) }
}

let tagManager = TagManager(ports: TagManager.Ports(sink: NoSink()))
let container = try tagManager.openContainer("GTM-SHOP")

// snippet.show
let explanation = container.explain(tag: "purchase event", event: ["event": "purchase", "order": ["total": 0]])
for rule in explanation.rules {
  print(rule.rule.name, rule.effect, rule.rule.passed, rule.decidedBy?.arguments ?? [:])
}
