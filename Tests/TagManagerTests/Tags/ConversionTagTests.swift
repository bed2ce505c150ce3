import Hits
import TagManager
import Testing

@Suite struct ConversionTagTests {
  @Test("TM-842: a conversion is reported with its own parameters and the app's facts")
  func conversion() throws {
    let rig = TagRig(parameters: [
      "conversionId": "955588208", "conversionLabel": "7dhY", "conversionValue": 12.5, "currencyCode": "EUR",
      "orderId": "A/1", "customParams": [["key": "size", "value": "XL"], ["key": "", "value": "x"]],
      "screenName": "Home", "remarketingOnly": true,
    ])
    #expect(
      try rig.effects(of: .conversion) == [
        .send(
          .beacon(
            "https://www.googleadservices.com/pagead/conversion/955588208/?label=7dhY&value=12.5&currency_code=EUR"
              + "&oid=A%2F1&remarketing_only=1&data.screen_name=Home&data.size=XL&bundleid=com.example.shop"
              + "&appversion=1.4&osversion=18.2&sdkversion=tagworks-\(ProductInfo.version)&timestamp=1625729421"),
          tracker: nil)
      ])
  }

  @Test("TM-842: ids are told only by an IdentifierProvider, and not against the person's will")
  func identifiers() throws {
    var rig = TagRig(parameters: ["conversionId": 7, "customParams": ["k": "v"]])
    let anonymous = try #require(try rig.url(of: .conversion))
    #expect(anonymous.contains("/conversion/7/?remarketing_only=0&data.k=v&bundleid="))
    for name in ["rdid=", "idtype=", "lat="] { #expect(!anonymous.contains(name)) }
    rig.identifiers = TagRig.Identifiers(advertisingID: "AB-1")
    #expect(try rig.url(of: .conversion) == anonymous + "&rdid=AB-1&idtype=idfa&lat=0")
    rig.identifiers?.isTrackingAllowed = false
    #expect(try rig.url(of: .conversion) == anonymous + "&lat=1")
    rig.identifiers = TagRig.Identifiers(advertisingID: "00000000-0000-0000-0000-000000000000")
    #expect(try rig.url(of: .conversion) == anonymous + "&lat=0")
  }

  @Test("TM-842: a conversion needs its id, which cannot leave its place in the path")
  func id() throws {
    #expect(TagRig().failure(of: .conversion) == .evaluation(.missingParameter("conversionId")))
    let hostile = try #require(try TagRig(parameters: ["conversionId": "../a?b#c"]).url(of: .conversion))
    #expect(hostile.hasPrefix("https://www.googleadservices.com/pagead/conversion/..%2Fa%3Fb%23c/?"))
  }
}
