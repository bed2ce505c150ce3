/// The texts of the overlay in one language; an app may replace each (VA-1004).
///
/// `%1`, `%2` stand for numbers.
public struct OverlayTexts: Sendable, Hashable {
  /// Says that this is an ad.
  public var ad: String
  /// Which ad of how many.
  public var adOf: String
  /// The skip control before its time.
  public var skipIn: String
  /// The skip control.
  public var skip: String
  /// The way to the advertiser.
  public var learnMore: String
  /// Closes what lies over the ad.
  public var close: String
  /// Said when the skip control becomes available.
  public var skipAvailable: String
  /// Said when content goes on.
  public var resumed: String
  /// How many seconds.
  public var seconds: String
  /// Whether texts run from right to left.
  public var isRightToLeft: Bool

  /// The built-in texts for a BCP 47 language: those of its longest known prefix, else English.
  public init(language: String) {
    var tag = language.lowercased().replacing("_", with: "-")
    if let region = Self.chinese[tag] { tag = region }
    while Self.table[tag] == nil, let cut = tag.lastIndex(of: "-") { tag = String(tag[..<cut]) }
    let key = Self.table[tag] == nil ? "en" : tag
    let words = Self.table[key] ?? []
    let word = { (index: Int) in words.indices.contains(index) ? words[index] : "" }
    (ad, adOf, skipIn, skip, learnMore) = (word(0), word(1), word(2), word(3), word(4))
    (close, skipAvailable, resumed, seconds) = (word(5), word(6), word(7), word(8))
    isRightToLeft = key == "ar" || key == "he"
  }

  /// A text with its numbers.
  static func filled(_ text: String, _ first: Int, _ second: Int? = nil) -> String {
    var result: [UInt8] = []
    for byte in text.utf8 {
      let number = byte == UInt8(ascii: "1") ? first : byte == UInt8(ascii: "2") ? second : nil
      if let number, result.last == UInt8(ascii: "%") {
        result.removeLast()
        result += String(number).utf8
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Chinese without a script, by the script its region writes.
  private static let chinese = [
    "zh": "zh-hans", "zh-cn": "zh-hans", "zh-sg": "zh-hans", "zh-tw": "zh-hant", "zh-hk": "zh-hant",
    "zh-mo": "zh-hant", "iw": "he",
  ]

  private static let table: [String: [String]] = [
    "en": [
      "Ad", "Ad %1 of %2", "Skip in %1", "Skip ad", "Learn more", "Close", "Skip ad available", "Content resumed",
      "%1 seconds",
    ],
    "de": [
      "Anzeige", "Anzeige %1 von %2", "Überspringen in %1", "Überspringen", "Mehr erfahren", "Schließen",
      "Anzeige kann übersprungen werden", "Inhalt läuft weiter", "%1 Sekunden",
    ],
    "es": [
      "Anuncio", "Anuncio %1 de %2", "Saltar en %1", "Saltar anuncio", "Más información", "Cerrar",
      "Ya se puede saltar el anuncio", "El contenido continúa", "%1 segundos",
    ],
    "fr": [
      "Annonce", "Annonce %1 sur %2", "Passer dans %1", "Passer l’annonce", "En savoir plus", "Fermer",
      "L’annonce peut être passée", "Reprise du contenu", "%1 secondes",
    ],
    "it": [
      "Annuncio", "Annuncio %1 di %2", "Salta tra %1", "Salta annuncio", "Ulteriori informazioni", "Chiudi",
      "Ora puoi saltare l’annuncio", "Il contenuto riprende", "%1 secondi",
    ],
    "nl": [
      "Advertentie", "Advertentie %1 van %2", "Overslaan over %1", "Advertentie overslaan", "Meer informatie",
      "Sluiten", "Advertentie kan worden overgeslagen", "Video gaat verder", "%1 seconden",
    ],
    "pl": [
      "Reklama", "Reklama %1 z %2", "Pomiń za %1", "Pomiń reklamę", "Dowiedz się więcej", "Zamknij",
      "Można pominąć reklamę", "Wznowiono odtwarzanie", "%1 s",
    ],
    "pt": [
      "Anúncio", "Anúncio %1 de %2", "Pular em %1", "Pular anúncio", "Saiba mais", "Fechar",
      "Já é possível pular o anúncio", "O conteúdo continua", "%1 segundos",
    ],
    "ru": [
      "Реклама", "Реклама %1 из %2", "Пропустить через %1", "Пропустить", "Подробнее", "Закрыть",
      "Рекламу можно пропустить", "Воспроизведение продолжается", "%1 с",
    ],
    "uk": [
      "Реклама", "Реклама %1 з %2", "Пропустити через %1", "Пропустити", "Докладніше", "Закрити",
      "Рекламу можна пропустити", "Відтворення продовжується", "%1 с",
    ],
    "tr": [
      "Reklam", "Reklam %1 / %2", "%1 sn sonra geç", "Reklamı geç", "Daha fazla bilgi", "Kapat",
      "Reklam geçilebilir", "İçerik devam ediyor", "%1 saniye",
    ],
    "ar": [
      "إعلان", "إعلان %1 من %2", "التخطي خلال %1", "تخطي الإعلان", "مزيد من المعلومات", "إغلاق",
      "يمكن تخطي الإعلان", "استؤنف المحتوى", "%1 ثانية",
    ],
    "he": [
      "מודעה", "מודעה %1 מתוך %2", "דילוג בעוד %1", "דילוג על המודעה", "מידע נוסף", "סגירה",
      "אפשר לדלג על המודעה", "התוכן ממשיך", "%1 שניות",
    ],
    "hi": [
      "विज्ञापन", "विज्ञापन %1/%2", "%1 में छोड़ें", "विज्ञापन छोड़ें", "ज़्यादा जानें", "बंद करें",
      "विज्ञापन छोड़ा जा सकता है", "सामग्री फिर शुरू हुई", "%1 सेकंड",
    ],
    "ja": [
      "広告", "広告 %1/%2", "%1 秒後にスキップ", "広告をスキップ", "詳細", "閉じる", "広告をスキップできます", "コンテンツを再開しました", "%1 秒",
    ],
    "ko": [
      "광고", "광고 %1/%2", "%1초 후 건너뛰기", "광고 건너뛰기", "자세히 알아보기", "닫기", "광고를 건너뛸 수 있습니다", "콘텐츠가 다시 재생됩니다", "%1초",
    ],
    "zh-hans": ["广告", "广告 %1/%2", "%1 秒后跳过", "跳过广告", "了解详情", "关闭", "可以跳过广告", "内容已继续播放", "%1 秒"],
    "zh-hant": ["廣告", "廣告 %1/%2", "%1 秒後略過", "略過廣告", "瞭解詳情", "關閉", "可以略過廣告", "內容已繼續播放", "%1 秒"],
  ]
}
