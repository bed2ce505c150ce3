import Hits
import Testing

@Suite struct ImpressionSplitTests {
  /// `&name=value` of all fields; the values here need no escapes.
  private func size(_ builder: HitBuilder) -> Int {
    builder.build().reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count + 2 }
  }

  private func shelf(_ count: Int, lists: Int = 1) -> HitBuilder {
    var builder = HitBuilder.event(category: "c", action: "a").startSession()
      .product(action: ProductAction(.detail)).add(product: Product(id: "P"))
      .add(promotion: Promotion(id: "O")).promotion(action: .view)
    for number in 0..<count {
      builder = builder.add(
        impression: Product(id: "id\(1000 + number)"), list: "list\(number % lists)", source: "s")
    }
    return builder
  }

  /// The product ids of all impressions with the name of their list, in the order of lists and indexes.
  private func impressions(_ builders: [HitBuilder]) -> [String] {
    builders.flatMap { builder in
      (1...30).flatMap { list in
        (1...200).compactMap { index in
          builder.get("il\(list)pi\(index)id").map { (builder.get("il\(list)nm") ?? "no name") + $0 }
        }
      }
    }
  }

  @Test("HQ-125: what fits is one hit, as it is")
  func fits() {
    let builder = shelf(3)
    #expect(builder.splitImpressions(limit: size(builder)) == [builder])
    #expect(builder.splitImpressions(limit: size(builder) - 1).count == 2)
  }

  @Test("HQ-125: the parts are within the limit, and no impression is lost, doubled or moved", arguments: [1, 3, 30])
  func parts(lists: Int) {
    let builder = shelf(120, lists: lists)
    let parts = builder.splitImpressions(limit: 500)
    #expect(parts.count > 3)
    #expect(parts.allSatisfy { size($0) <= 500 })
    #expect(impressions(parts) == impressions([builder]))
    #expect(impressions(parts).count == 120)
    for part in parts {
      #expect(part.kind == .event)
      #expect(part.get("ec") == "c")
      #expect(part.get("il1ls") == "s")
      #expect(FieldHygiene(part.build(), kind: .event).warnings.isEmpty)
    }
  }

  @Test("HQ-125: what must be counted once goes with the first part only")
  func countedOnce() {
    let parts = shelf(60).splitImpressions(limit: 500)
    let once = ["pa", "pr1id", "promo1id", "promoa", "sc"]
    #expect(once.allSatisfy { parts[0].get($0) != nil })
    for part in parts.dropFirst() { #expect(once.allSatisfy { part.get($0) == nil }) }
  }

  @Test("HQ-125: bytes are those of the wire: a letter outside ASCII takes six")
  func escapes() {
    let product = Product(id: String(repeating: "é", count: 10))
    let builder = HitBuilder.screenView("x").add(impression: product, list: "L").add(impression: product, list: "L")
    // &cd=x, &il1nm=L, and twice &il1pi1id= with 60 bytes.
    #expect(builder.splitImpressions(limit: 5 + 8 + 2 * 70).count == 1)
    #expect(builder.splitImpressions(limit: 5 + 8 + 2 * 70 - 1).count == 2)
  }

  @Test("HQ-125: an impression that fits nowhere goes alone, to be refused for its size")
  func oversized() {
    let big = Product(id: String(repeating: "x", count: 300))
    let builder = HitBuilder.screenView("x").add(impression: Product(id: "1"), list: "L").add(
      impression: big, list: "L"
    )
    .add(impression: Product(id: "2"), list: "L")
    let parts = builder.splitImpressions(limit: 100)
    #expect(parts.map { $0.get("il1pi1id")?.count } == [1, 300, 1])
  }
}
