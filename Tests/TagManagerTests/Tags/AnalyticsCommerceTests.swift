import Hits
import TagManager
import Testing

@Suite struct AnalyticsCommerceTests {
  private let transaction: [String: Value] = [
    "transactionId": "T1", "transactionAffiliation": "Shop", "transactionTotal": 23.5, "transactionTax": 2,
    "transactionShipping": "1.50", "transactionCurrency": "EUR",
    "transactionProducts": [
      ["name": "Shirt", "sku": "S1", "category": "Wear", "price": 10, "quantity": 2, "currency": "EUR"], "no product",
      ["name": "Sock"],
    ],
  ]

  @Test(
    "TM-834: one hit for the transaction and one for each product",
    arguments: [
      ["account": "U", "track_transaction": true, "app_name": "App"],
      [
        "trackingId": "U", "trackType": "TRACK_TRANSACTION",
        "fieldsToSet": [["fieldName": "appName", "value": "App"]],
      ],
    ] as [[String: Value]])
  func transactions(parameters: [String: Value]) throws {
    let hits = try TagRig(parameters: parameters, dataLayer: transaction).hits(of: .analytics)
    #expect(hits.map(\.kind) == [.transaction, .item, .item])
    #expect(
      hits.map(\.fields) == [
        [
          "tid": "U", "an": "App", "ti": "T1", "ta": "Shop", "tr": "23.5", "tt": "2", "ts": "1.50", "cu": "EUR",
        ],
        [
          "tid": "U", "an": "App", "ti": "T1", "in": "Shirt", "ic": "S1", "iv": "Wear", "ip": "10", "iq": "2",
          "cu": "EUR",
        ], ["tid": "U", "an": "App", "ti": "T1", "in": "Sock"],
      ])
  }

  @Test("TM-834: the key names are replaceable")
  func ownKeys() throws {
    let rig = TagRig(
      parameters: [
        "account": "U", "track_transaction": true, "transaction_datalayer_map": ["order.id": "&ti", "order.sum": "tr"],
        "transaction_item_datalayer_map": ["title": "&in"],
      ],
      dataLayer: [
        "order": ["id": 9, "sum": 3], "transactionId": "X", "transactionProducts": [["title": "A", "name": "B"]],
      ])
    #expect(
      try rig.hits(of: .analytics).map(\.fields) == [
        ["tid": "U", "ti": "9", "tr": "3"], ["tid": "U", "ti": "9", "in": "A"],
      ])
  }

  @Test("TM-834: without an id in the data layer the tag fails")
  func noTransaction() {
    #expect(
      TagRig(parameters: ["account": "U", "track_transaction": true]).failure(of: .analytics)
        == .evaluation(.missingParameter("transactionId")))
  }

  private let purchase: Value = [
    "currencyCode": "EUR",
    "purchase": [
      "actionField": [
        "id": "T1", "affiliation": "Shop", "revenue": 23.5, "tax": 2, "shipping": 1, "coupon": "C", "step": 2,
        "option": "Visa", "list": "Home",
      ],
      "products": [
        [
          "id": "P1", "name": "Shirt", "brand": "B", "category": "Wear", "variant": "blue", "price": 10, "quantity": 2,
          "coupon": "PC", "position": 3, "dimension4": "d", "metric5": 6, "dimension0": "x", "dimension201": "x",
          "dimensionx": "x",
        ], ["name": "Sock"],
      ],
    ],
  ]

  private let purchaseFields = [
    "tid": "U", "cu": "EUR", "pa": "purchase", "ti": "T1", "ta": "Shop", "tr": "23.5", "tt": "2", "ts": "1",
    "tcc": "C", "cos": "2", "col": "Visa", "pal": "Home", "pr1id": "P1", "pr1nm": "Shirt", "pr1br": "B",
    "pr1ca": "Wear", "pr1va": "blue", "pr1pr": "10", "pr1qt": "2", "pr1cc": "PC", "pr1ps": "3", "pr1cd4": "d",
    "pr1cm5": "6", "pr2nm": "Sock",
  ]

  @Test("TM-835: the data come from the macro's map or from the data layer, in both forms")
  func sources() throws {
    let binary: [String: Value] = ["account": "U", "track_appview": true, "enable_ecommerce": true]
    let compiled: [String: Value] = ["trackingId": "U", "trackType": "TRACK_SCREENVIEW", "enableEcommerce": true]
    let cases: [([String: Value], [String: Value])] = [
      (binary.merging(["ecommerce_macro_data": purchase]) { $1 }, [:]),
      (binary.merging(["ecommerce_use_data_layer": true]) { $1 }, ["ecommerce": purchase]),
      (compiled.merging(["ecommerceMacroData": purchase]) { $1 }, [:]),
      (compiled.merging(["useEcommerceDataLayer": true]) { $1 }, ["ecommerce": purchase]),
    ]
    for (parameters, dataLayer) in cases {
      #expect(
        try TagRig(parameters: parameters, dataLayer: dataLayer).hits(of: .analytics).map(\.fields) == [purchaseFields])
    }
    let off = binary.merging(["enable_ecommerce": false, "ecommerce_macro_data": purchase]) { $1 }
    #expect(try TagRig(parameters: off).hits(of: .analytics).map(\.fields) == [["tid": "U"]])
  }

  private func fields(_ data: Value) throws -> [String: String] {
    let parameters: [String: Value] = [
      "account": "U", "track_appview": true, "enable_ecommerce": true, "ecommerce_macro_data": data,
    ]
    return try TagRig(parameters: parameters).hits(of: .analytics).first?.fields ?? [:]
  }

  @Test(
    "TM-835: every action is taken, with or without fields and products",
    arguments: ["detail", "click", "add", "remove", "checkout", "checkout_option", "purchase", "refund"])
  func actions(action: String) throws {
    #expect(try fields(.map([action: [:]])) == ["tid": "U", "pa": action])
    #expect(
      try fields(.map([action: ["products": [["id": 1]]]])) == ["tid": "U", "pa": action, "pr1id": "1"])
  }

  @Test("TM-835: impressions are grouped by list")
  func impressions() throws {
    let impressions: Value = [
      ["list": "A", "id": "1", "position": 1], ["list": "B", "id": "2"], ["list": "A", "name": "n", "dimension3": "d"],
    ]
    #expect(
      try fields(["impressions": impressions]) == [
        "tid": "U", "il1nm": "A", "il1pi1id": "1", "il1pi1ps": "1", "il2nm": "B", "il2pi1id": "2", "il1pi2nm": "n",
        "il1pi2cd3": "d",
      ])
  }

  @Test("TM-835: promotions are views, or clicks")
  func promotions() throws {
    let promotions: Value = ["promotions": [["id": "1", "name": "n", "creative": "c", "position": "top"]]]
    let shown = ["tid": "U", "promo1id": "1", "promo1nm": "n", "promo1cr": "c", "promo1ps": "top"]
    #expect(try fields(["promoView": promotions]) == shown)
    #expect(try fields(["promoClick": promotions]) == shown.merging(["promoa": "click"]) { $1 })
  }

  @Test("TM-835: at most 200 products and promotions a hit, the rest is dropped with a warning")
  func bounds() throws {
    let many = Value.list((1...250).map { ["id": .int($0), "list": "L"] })
    let parameters: [String: Value] = [
      "account": "U", "track_appview": true, "enable_ecommerce": true,
      "ecommerce_macro_data": ["add": ["products": many], "promoView": ["promotions": many], "impressions": many],
    ]
    let rig = TagRig(parameters: parameters)
    let fields = try rig.hits(of: .analytics).first?.fields ?? [:]
    #expect(fields["pr200id"] == "200" && fields["promo200id"] == "200" && fields["il1pi200id"] == "200")
    #expect(fields.count == 3 + 3 * 200)
    let warnings = try rig.warnings(of: .analytics)
    #expect(warnings.count == 1)
    #expect(warnings.first?.message.contains("150 products") == true)
  }

  @Test(
    "TM-835: data of another shape set nothing",
    arguments: [1, "x", [1], nil, .map(["detail": 3]), .map(["impressions": "x"])] as [Value])
  func otherShapes(data: Value) throws {
    #expect(try fields(data) == ["tid": "U"])
  }
}
