import Hits
import Testing

@Suite struct CampaignTests {
  @Test(
    "HQ-124, HQ-136, HQ-1226: a campaign is read from a URL or a bare query",
    arguments: [
      ("http://my.site.com/index.html?utm_campaign=wow&utm_source=source", ["cn": "wow", "cs": "source"]),
      ("utm_campaign=wow&utm_source=source", ["cn": "wow", "cs": "source"]),
      ("?utm_campaign=wow", ["cn": "wow"]),
      ("app://open/a=b?utm_campaign=wow", ["cn": "wow"]),
      (
        "utm_campaign=1&utm_source=2&utm_medium=3&utm_term=4&utm_content=5&utm_id=6&gclid=7&dclid=8&aclid=9&anid=10"
          + "&gmob_t=11",
        [
          "cn": "1", "cs": "2", "cm": "3", "ck": "4", "cc": "5", "ci": "6", "gclid": "7", "dclid": "8", "aclid": "9",
          "anid": "10", "gmob_t": "11",
        ]
      ),
      ("utm_source=a+b%20c%C3%A9", ["cs": "a b cé"]),
      ("utm_source=%FFx", ["cs": "\u{FFFD}x"]),
      ("utm_source=&utm_source=x&utm_source=y", ["cs": "x"]),
      ("https://h/?utm_source=a#utm_medium=b", ["cs": "a"]),
      ("https://h/#?utm_medium=b", [:]),
      ("UTM_SOURCE=a&utm_Source=b", [:]),
      ("utm_source=http://h/?utm_medium=q", ["cs": "http://h/?utm_medium=q"]),
      ("https://h/utm_source=a", [:]), ("https://h/", [:]), ("", [:]), ("utm_source", [:]), ("&&=&%", [:]),
    ])
  func campaign(url: String, fields: [String: String]) {
    let old = HitBuilder.screenView("x").set("old", for: .campaignName)
    let expected = ["cd": "x", "cn": "old"].merging(fields) { $1 }
    #expect(old.campaign(from: url).build() == expected)
    #expect(old.campaign(from: url).suppressed.isEmpty)
  }

  @Test("HQ-212: a session's start and end are a field of one builder")
  func session() {
    #expect(HitBuilder.screenView("x").startSession().get("sc") == "start")
    #expect(HitBuilder.screenView("x").endSession().get("sc") == "end")
  }
}
