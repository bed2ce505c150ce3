/// Where the parts of the overlay are, in points of the container (VA-1002).
///
/// Leading is left, and right where texts run from right to left. Controls are at least 44 × 44.
struct OverlayLayout: Sendable, Hashable {
  static let control = 44.0
  private static let margin = 8.0
  /// Room for "Überspringen in 10".
  private static let wide = 168.0
  /// Room for "Advertentie".
  private static let name = 84.0
  /// Room for "Advertentie 10 van 10 · 1:00:00".
  private static let time = 220.0

  let size: AdSize
  let isRightToLeft: Bool

  /// Whether there is room for more than skip and countdown.
  var isRoomy: Bool { size.width >= 256 && size.height >= 144 }

  private var width: Double { max(Self.control, min(Self.wide, (size.width - 3 * Self.margin) / 2)) }
  private var bottom: Double { max(0, size.height - Self.margin - Self.control) }

  private func horizontal(_ width: Double, isLeading: Bool) -> Double {
    isLeading != isRightToLeft ? Self.margin : max(0, size.width - Self.margin - width)
  }

  var skip: AdRectangle {
    AdRectangle(x: horizontal(width, isLeading: false), y: bottom, width: width, height: Self.control)
  }

  var learnMore: AdRectangle {
    AdRectangle(x: horizontal(width, isLeading: true), y: bottom, width: width, height: Self.control)
  }

  var attribution: AdRectangle {
    AdRectangle(x: horizontal(Self.name, isLeading: true), y: Self.margin, width: Self.name, height: 24)
  }

  /// Beside the attribution, and as wide as the close control in the opposite corner lets it be.
  var countdown: AdRectangle {
    let shift = isRoomy ? Self.name + Self.margin : 0
    let room = size.width - 3 * Self.margin - Self.control - shift
    let width = max(Self.control, min(Self.time, room))
    let x = horizontal(width, isLeading: true) + (isRightToLeft ? -shift : shift)
    return AdRectangle(x: max(0, x), y: Self.margin, width: width, height: 24)
  }

  /// The upper corner opposite to the attribution.
  var close: AdRectangle {
    AdRectangle(
      x: horizontal(Self.control, isLeading: false), y: Self.margin, width: Self.control, height: Self.control)
  }

  /// A picture of a size, in the middle at the bottom.
  func bottomCentre(_ picture: AdSize) -> AdRectangle {
    AdRectangle(
      x: max(0, (size.width - picture.width) / 2), y: max(0, size.height - picture.height - Self.margin),
      width: picture.width, height: picture.height)
  }

  /// The places of icons; several at one corner lie side by side, inwards (VA-855).
  func places(of icons: [VAST.Icon]) -> [AdRectangle] {
    var used: [[VAST.Icon.Position]: Double] = [:]
    return icons.map { icon in
      let ratio = icon.pixelRatio > 0 ? icon.pixelRatio : 1
      let (width, height) = (Double(icon.width ?? 20) / ratio, Double(icon.height ?? 20) / ratio)
      let corner = [icon.x, icon.y]
      let shift = used[corner] ?? 0
      used[corner] = shift + width
      return AdRectangle(
        x: Self.along(icon.x, length: width, of: size.width, shift: shift, ratio),
        y: Self.along(icon.y, length: height, of: size.height, shift: 0, ratio), width: width, height: height)
    }
  }

  private static func along(
    _ position: VAST.Icon.Position, length: Double, of whole: Double, shift: Double, _ ratio: Double
  ) -> Double {
    switch position {
    case .leading: shift
    case .trailing: max(0, whole - length - shift)
    case .points(let points): min(max(0, Double(points) / ratio + shift), max(0, whole - length))
    }
  }
}
