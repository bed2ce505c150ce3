import VideoAds

/// One thing to draw of an overlay's model: the same list for every toolkit (VA-1001, VA-1005).
struct OverlayPart: Sendable, Hashable {
  /// What stays the same from model to model, so that a widget keeps its focus.
  enum ID: Sendable, Hashable {
    case attribution
    case countdown
    case skip
    case learnMore
    case icon(Int)
    case fallbackImage
    case closeFallback
    case overlayAd
    case closeOverlay
    case buffering
  }

  /// How it is drawn.
  enum Kind: Sendable, Hashable {
    case text
    case button
    /// An image by its URL, which can be tapped.
    case image(String)
    /// A sign that something is waited for.
    case activity
  }

  var id: ID
  var kind: Kind
  var text: String
  /// What assistive software says.
  var label: String
  var rectangle: AdRectangle
  /// What a tap means; nil for what cannot be tapped.
  var target: OverlayTarget?
  var isEnabled: Bool
  /// Its place in the order of focus.
  var order: Int

  /// Whether the keyboard reaches it.
  var isFocusable: Bool { target != nil && isEnabled }
}

extension OverlayModel {
  /// What is to be drawn in a container of a size, lowest first.
  func parts(in size: AdSize) -> [OverlayPart] {
    var parts: [OverlayPart] = []
    if let overlayAd { parts += Self.parts(overlayAd, .overlayAd, close: .closeOverlay) }
    for icon in icons {
      if case .icon(let number) = icon.target { parts += Self.part(icon, .icon(number)) }
    }
    let elements: [(OverlayPart.ID, Element?)] = [
      (.attribution, attribution), (.countdown, countdown), (.learnMore, learnMore), (.skip, skip),
    ]
    for (id, element) in elements { if let element { parts.append(Self.part(element, id)) } }
    if isBuffering {
      let side = 48.0
      parts.append(
        OverlayPart(
          id: .buffering, kind: .activity, text: "", label: "",
          rectangle: AdRectangle(
            x: (size.width - side) / 2, y: (size.height - side) / 2, width: side, height: side), target: nil,
          isEnabled: true, order: 0))
    }
    if let fallbackImage { parts += Self.parts(fallbackImage, .fallbackImage, close: .closeFallback) }
    return parts
  }

  /// The target at a point that no enabled control takes: a control that cannot be activated yet is no part of the
  /// ad's area (VA-1009).
  func target(at point: AdPoint) -> OverlayTarget {
    if let skip, skip.rectangle.contains(point) { return .skip }
    return .ad
  }

  private static func parts(_ ad: OverlayAd, _ id: OverlayPart.ID, close: OverlayPart.ID) -> [OverlayPart] {
    part(ad.picture, id) + (ad.close.map { [part($0, close)] } ?? [])
  }

  private static func part(_ element: Element, _ id: OverlayPart.ID) -> OverlayPart {
    OverlayPart(
      id: id, kind: element.target == nil ? .text : .button, text: element.text, label: element.label,
      rectangle: element.rectangle, target: element.target, isEnabled: element.isEnabled, order: element.order)
  }

  /// Pages are not drawn: they need a page host of their own (VA-1404).
  private static func part(_ picture: Picture, _ id: OverlayPart.ID) -> [OverlayPart] {
    guard case .file(let url, _) = picture.resource else { return [] }
    return [
      OverlayPart(
        id: id, kind: .image(url), text: picture.label, label: picture.label, rectangle: picture.rectangle,
        target: picture.target, isEnabled: true, order: picture.order)
    ]
  }
}

extension AdRectangle {
  func contains(_ point: AdPoint) -> Bool {
    point.x >= origin.x && point.x < origin.x + size.width && point.y >= origin.y
      && point.y < origin.y + size.height
  }
}
