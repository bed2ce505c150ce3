import Hits
import Testing

@Suite struct CommerceTests {
  private let event = HitBuilder.event(category: "c", action: "a")

  @Test("HQ-120: products get the indexes from 1 in the order of adding, with all of their fields")
  func products() {
    let shirt = Product(
      id: "P1", name: "Shirt", brand: "B", category: "Apparel/Shirts", variant: "red", price: 9.90, quantity: 2,
      couponCode: "SALE", position: 3, customDimensions: [1: "L", 200: "x"], customMetrics: [7: 1.5])
    let built = HitBuilder.screenView("Cart").add(product: shirt).add(product: Product(name: "Hat")).build()
    #expect(
      built == [
        "cd": "Cart", "pr1id": "P1", "pr1nm": "Shirt", "pr1br": "B", "pr1ca": "Apparel/Shirts", "pr1va": "red",
        "pr1pr": "9.9", "pr1qt": "2", "pr1cc": "SALE", "pr1ps": "3", "pr1cd1": "L", "pr1cd200": "x", "pr1cm7": "1.5",
        "pr2nm": "Hat",
      ])
    #expect(FieldHygiene(built, kind: .screenView).warnings.isEmpty)
  }

  @Test(
    "HQ-120: a product needs an id or a name that is left when it is cleaned",
    arguments: [(nil, nil), ("", ""), (" ", "\n")] as [(String?, String?)])
  func unnamed(id: String?, name: String?) {
    let product = Product(id: id, name: name, brand: "B")
    let builder = event.add(product: product).add(impression: product, list: "L")
      .add(promotion: Promotion(id: id, name: name)).add(product: Product(id: "P1"))
    #expect(builder.build() == ["ec": "c", "ea": "a", "pr1id": "P1"])
    #expect(Set(builder.ignored.map(\.name)) == ["pr", "il", "promo"])
    #expect(builder.ignored.allSatisfy { $0.reason == .unnamed })
  }

  @Test(
    "HQ-121: every action has its word on the wire",
    arguments: [
      (ProductAction.Kind.detail, "detail"), (.click, "click"), (.add, "add"), (.remove, "remove"),
      (.checkout, "checkout"), (.checkoutOption, "checkout_option"), (.purchase, "purchase"), (.refund, "refund"),
    ])
  func actions(kind: ProductAction.Kind, word: String) {
    #expect(event.product(action: ProductAction(kind)).get("pa") == word)
    #expect(ProductAction.Kind.allCases.count == 8)
  }

  @Test("HQ-121: an action writes all of its fields, and replaces the whole of an earlier one")
  func actionFields() {
    let purchase = ProductAction(
      .purchase, transactionID: "T1", affiliation: "Shop", revenue: 15.470, tax: 1, shipping: 0.5, couponCode: "C",
      checkoutStep: 2, checkoutOption: "Visa", list: "Search", listSource: "Home")
    let builder = event.product(action: purchase)
    #expect(
      builder.build() == [
        "ec": "c", "ea": "a", "pa": "purchase", "ti": "T1", "ta": "Shop", "tr": "15.47", "tt": "1", "ts": "0.5",
        "tcc": "C", "cos": "2", "col": "Visa", "pal": "Search", "pls": "Home",
      ])
    let detail = builder.product(action: ProductAction(.detail))
    #expect(detail.build() == ["ec": "c", "ea": "a", "pa": "detail"])
    #expect(detail.suppressed.isEmpty)
  }

  @Test("HQ-121: a purchase or refund without a transaction id is refused", arguments: ProductAction.Kind.allCases)
  func transactionID(kind: ProductAction.Kind) {
    let refusal = FieldHygiene(event.product(action: ProductAction(kind)).build(), kind: .event).refusal
    #expect(refusal == (kind == .purchase || kind == .refund ? .missingField("ti") : nil))
    let named = event.product(action: ProductAction(kind, transactionID: "T1"))
    #expect(FieldHygiene(named.build(), kind: .event).refusal == nil)
  }

  @Test("HQ-122: impressions are grouped by list, lists get indexes at their first use, the first source counts")
  func impressions() {
    let product = Product(id: "A", price: 1, quantity: 9, couponCode: "no")
    let builder = event.add(impression: product, list: "Search", source: "Home")
      .add(impression: Product(id: "B", customDimensions: [3: "d"]), list: "Related")
      .add(impression: Product(name: "C", position: 4), list: "Search", source: "other")
    #expect(
      builder.build() == [
        "ec": "c", "ea": "a", "il1nm": "Search", "il1ls": "Home", "il1pi1id": "A", "il1pi1pr": "1", "il1pi2nm": "C",
        "il1pi2ps": "4", "il2nm": "Related", "il2pi1id": "B", "il2pi1cd3": "d",
      ])
  }

  @Test("HQ-1227: two products with an action, one impression in each of two lists, and a promotion's click")
  func together() {
    let built = event.add(product: Product(id: "1")).add(product: Product(id: "2"))
      .product(action: ProductAction(.add)).add(impression: Product(id: "3"), list: "one")
      .add(impression: Product(id: "4"), list: "two")
      .add(promotion: Promotion(id: "5", name: "n", creative: "c", position: "p")).promotion(action: .click).build()
    #expect(
      built == [
        "ec": "c", "ea": "a", "pr1id": "1", "pr2id": "2", "pa": "add", "il1nm": "one", "il1pi1id": "3", "il2nm": "two",
        "il2pi1id": "4", "promo1id": "5", "promo1nm": "n", "promo1cr": "c", "promo1ps": "p", "promoa": "click",
      ])
    #expect(event.promotion(action: .click).promotion(action: .view).get("promoa") == "view")
  }

  @Test("HQ-122: the 201st product, promotion or impression of a list and the 31st list are refused")
  func bounds() {
    var builder = event
    for number in 1...201 {
      builder = builder.add(product: Product(id: "p\(number)")).add(promotion: Promotion(id: "o\(number)"))
        .add(impression: Product(id: "i\(number)"), list: "L")
    }
    for number in 2...31 { builder = builder.add(impression: Product(id: "x"), list: "L\(number)") }
    #expect(builder.get("pr200id") == "p200")
    #expect(builder.get("promo200id") == "o200")
    #expect(builder.get("il1pi200id") == "i200")
    #expect(builder.get("il30nm") == "L30")
    // ec, ea; 200 products, 200 promotions; a name and 200 impressions; 29 lists of one with its name.
    #expect(builder.build().count == 2 + 200 + 200 + 201 + 2 * 29)
    #expect(builder.ignored == Set(["pr", "promo", "il"].map { IgnoredInput(name: $0, reason: .tooMany) }))
    #expect(FieldHygiene(builder.build(), kind: .event).warnings.isEmpty)
  }

  @Test(
    "HQ-123: transactions, items, custom hits and beacons carry no e-commerce, all other kinds do",
    arguments: [
      (.screenView("s"), true), (.pageView(location: "https://h/"), true), (.event(category: "c", action: "a"), true),
      (.exception(isFatal: false), true), (.timing(category: "c", variable: "v", milliseconds: 1), true),
      (.social(network: "n", action: "a", target: "t"), true), (.transaction(id: "1"), false),
      (.item(transactionID: "1", name: "n"), false), (.custom(name: "x"), false), (.beacon("https://h/"), false),
    ] as [(HitBuilder, Bool)])
  func kinds(base: HitBuilder, carries: Bool) {
    let builder = base.add(product: Product(id: "1")).add(impression: Product(id: "1"), list: "L")
      .add(promotion: Promotion(id: "1")).product(action: ProductAction(.add)).promotion(action: .click)
    let added = builder.build().count - base.build().count
    #expect(added == (carries ? 6 : 0))
    #expect(builder.ignored.count == (carries ? 0 : 5))
    #expect(builder.ignored.allSatisfy { $0.reason == .otherKind })
  }

  @Test("the names of indexed fields can be had without a builder, as in the original")
  func wireNames() {
    #expect(WireName.product(1, "id") == "pr1id")
    #expect(WireName.impressionList(2) + "nm" == "il2nm")
    #expect(WireName.impression(2, 3, "cd4") == "il2pi3cd4")
    #expect(WireName.promotion(5, "cr") == "promo5cr")
  }
}
