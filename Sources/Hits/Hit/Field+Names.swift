extension Field where Content == String {
  /// Client ID (UUID v4, lower case) (`cid`); at most 64 bytes.
  public static var clientID: Field { Field("cid") }
  /// User ID (`uid`); at most 256 bytes.
  public static var userID: Field { Field("uid") }
  /// Data source (`ds`); at most 100 bytes.
  public static var dataSource: Field { Field("ds") }
  /// Session control (`sc`).
  public static var sessionControl: Field { Field("sc") }
  /// IP override (`uip`); at most 45 bytes.
  public static var ipOverride: Field { Field("uip") }
  /// User agent override (`ua`); at most 512 bytes.
  public static var userAgentOverride: Field { Field("ua") }
  /// Geographical override (`geoid`); at most 32 bytes.
  public static var geoOverride: Field { Field("geoid") }
  /// Document referrer (`dr`); at most 2048 bytes.
  public static var referrer: Field { Field("dr") }
  /// Campaign name (`cn`); at most 100 bytes.
  public static var campaignName: Field { Field("cn") }
  /// Campaign source (`cs`); at most 100 bytes.
  public static var campaignSource: Field { Field("cs") }
  /// Campaign medium (`cm`); at most 50 bytes.
  public static var campaignMedium: Field { Field("cm") }
  /// Campaign keyword (`ck`); at most 500 bytes.
  public static var campaignKeyword: Field { Field("ck") }
  /// Campaign content (`cc`); at most 500 bytes.
  public static var campaignContent: Field { Field("cc") }
  /// Campaign ID (`ci`); at most 100 bytes.
  public static var campaignID: Field { Field("ci") }
  /// Google Ads click ID (`gclid`); at most 256 bytes.
  public static var googleClickID: Field { Field("gclid") }
  /// Display Ads click ID (`dclid`); at most 256 bytes.
  public static var displayClickID: Field { Field("dclid") }
  /// Ad network click ID (`aclid`); at most 256 bytes.
  public static var adNetworkClickID: Field { Field("aclid") }
  /// Ad network ID (`anid`); at most 256 bytes.
  public static var adNetworkID: Field { Field("anid") }
  /// Mobile ad token (`gmob_t`); at most 256 bytes.
  public static var mobileAdToken: Field { Field("gmob_t") }
  /// Screen resolution (`sr`); at most 20 bytes.
  public static var screenResolution: Field { Field("sr") }
  /// Viewport size (`vp`); at most 20 bytes.
  public static var viewportSize: Field { Field("vp") }
  /// Document encoding (`de`); at most 20 bytes.
  public static var encoding: Field { Field("de") }
  /// Screen colours (`sd`); at most 20 bytes.
  public static var screenColors: Field { Field("sd") }
  /// User language (`ul`); at most 20 bytes.
  public static var language: Field { Field("ul") }
  /// Flash version (`fl`); at most 20 bytes.
  public static var flashVersion: Field { Field("fl") }
  /// Document location URL (`dl`); at most 2048 bytes.
  public static var location: Field { Field("dl") }
  /// Document host name (`dh`); at most 100 bytes.
  public static var hostname: Field { Field("dh") }
  /// Document path (`dp`); at most 2048 bytes.
  public static var page: Field { Field("dp") }
  /// Document title (`dt`); at most 1500 bytes.
  public static var title: Field { Field("dt") }
  /// Screen name (`cd`); at most 2048 bytes.
  public static var screenName: Field { Field("cd") }
  /// Content group (`cg<n>`), index 1 to 10; at most 100 bytes.
  public static func contentGroup(_ index: Int) -> Field { Field("cg\(index)") }
  /// Link ID (`linkid`); at most 256 bytes.
  public static var linkID: Field { Field("linkid") }
  /// Application name (`an`); at most 100 bytes.
  public static var appName: Field { Field("an") }
  /// Application ID (`aid`); at most 150 bytes.
  public static var appID: Field { Field("aid") }
  /// Application version (`av`); at most 100 bytes.
  public static var appVersion: Field { Field("av") }
  /// Application installer ID (`aiid`); at most 150 bytes.
  public static var appInstallerID: Field { Field("aiid") }
  /// Device model (`dm`); at most 100 bytes.
  public static var deviceModel: Field { Field("dm") }
  /// AdMob hit ID (`a`); at most 32 bytes.
  public static var adMobHitID: Field { Field("a") }
  /// Advertising ID (`idfa`); at most 64 bytes.
  public static var advertisingID: Field { Field("idfa") }
  /// Event category (`ec`); at most 150 bytes.
  public static var eventCategory: Field { Field("ec") }
  /// Event action (`ea`); at most 500 bytes.
  public static var eventAction: Field { Field("ea") }
  /// Event label (`el`); at most 500 bytes.
  public static var eventLabel: Field { Field("el") }
  /// Transaction ID (`ti`); at most 500 bytes.
  public static var transactionID: Field { Field("ti") }
  /// Affiliation (`ta`); at most 500 bytes.
  public static var affiliation: Field { Field("ta") }
  /// Item name (`in`); at most 500 bytes.
  public static var itemName: Field { Field("in") }
  /// Item code (SKU) (`ic`); at most 500 bytes.
  public static var itemCode: Field { Field("ic") }
  /// Item category (`iv`); at most 500 bytes.
  public static var itemCategory: Field { Field("iv") }
  /// Currency code, ISO 4217 (`cu`); at most 10 bytes.
  public static var currencyCode: Field { Field("cu") }
  /// Product action (`pa`).
  public static var productAction: Field { Field("pa") }
  /// Promotion action (`promoa`).
  public static var promotionAction: Field { Field("promoa") }
  /// Social network (`sn`); at most 50 bytes.
  public static var socialNetwork: Field { Field("sn") }
  /// Social action (`sa`); at most 50 bytes.
  public static var socialAction: Field { Field("sa") }
  /// Social target (`st`); at most 2048 bytes.
  public static var socialTarget: Field { Field("st") }
  /// Timing category (`utc`); at most 150 bytes.
  public static var timingCategory: Field { Field("utc") }
  /// Timing variable (`utv`); at most 500 bytes.
  public static var timingVariable: Field { Field("utv") }
  /// Timing label (`utl`); at most 500 bytes.
  public static var timingLabel: Field { Field("utl") }
  /// Exception description (`exd`); at most 150 bytes.
  public static var exceptionDescription: Field { Field("exd") }
  /// Custom dimension (`cd<n>`), index 1 to 200; at most 150 bytes.
  public static func customDimension(_ index: Int) -> Field { Field("cd\(index)") }
  /// Experiment ID (`xid`); at most 40 bytes.
  public static var experimentID: Field { Field("xid") }
  /// Experiment variant (`xvar`); at most 100 bytes.
  public static var experimentVariant: Field { Field("xvar") }
}

extension Field where Content == Int64 {
  /// Event value (`ev`).
  public static var eventValue: Field { Field("ev") }
  /// Item quantity (`iq`).
  public static var itemQuantity: Field { Field("iq") }
  /// Timing value, ms (`utt`).
  public static var timingValue: Field { Field("utt") }
  /// Page load time, ms (`plt`).
  public static var pageLoadTime: Field { Field("plt") }
  /// DNS time, ms (`dns`).
  public static var dnsTime: Field { Field("dns") }
  /// Page download time, ms (`pdt`).
  public static var pageDownloadTime: Field { Field("pdt") }
  /// Redirect response time, ms (`rrt`).
  public static var redirectTime: Field { Field("rrt") }
  /// TCP connect time, ms (`tcp`).
  public static var tcpConnectTime: Field { Field("tcp") }
  /// Server response time, ms (`srt`).
  public static var serverResponseTime: Field { Field("srt") }
  /// DOM interactive time, ms (`dit`).
  public static var domInteractiveTime: Field { Field("dit") }
  /// Content load time, ms (`clt`).
  public static var contentLoadTime: Field { Field("clt") }
}

extension Field where Content == Double {
  /// Sample rate, percent 0...100 (`sf`).
  public static var sampleRate: Field { Field("sf") }
  /// Custom metric (`cm<n>`), index 1 to 200.
  public static func customMetric(_ index: Int) -> Field { Field("cm\(index)") }
}

extension Field where Content == Amount {
  /// Revenue (`tr`).
  public static var revenue: Field { Field("tr") }
  /// Shipping (`ts`).
  public static var shipping: Field { Field("ts") }
  /// Tax (`tt`).
  public static var tax: Field { Field("tt") }
  /// Item price (`ip`).
  public static var itemPrice: Field { Field("ip") }
}

extension Field where Content == Bool {
  /// Anonymise IP (`aip`).
  public static var anonymizeIP: Field { Field("aip") }
  /// Disable advertising personalisation (`npa`).
  public static var nonPersonalizedAds: Field { Field("npa") }
  /// Java enabled (`je`).
  public static var javaEnabled: Field { Field("je") }
  /// Non-interaction hit (`ni`).
  public static var nonInteraction: Field { Field("ni") }
  /// Ad targeting enabled (`ate`).
  public static var adTargetingEnabled: Field { Field("ate") }
  /// Exception is fatal (`exf`).
  public static var exceptionIsFatal: Field { Field("exf") }
}
