public import Foundation
import Hits

/// What a page loads, and how it takes events (section 600 of the specification).
///
/// Every universal tag has a script for the page, `{probe(): boolean, deliver(event): void | Promise}`; a promise that
/// is kept confirms the event.
public struct UniversalTag: Sendable, Hashable {
  indirect enum Kind: Sendable, Hashable {
    case utag
    case matomo(URL)
    case gtm(id: String, dataLayer: String, environment: GTMEnvironment?)
    case gtag(String)
    case adobe(URL)
    case segment(key: String, host: String)
    case piwikPro(URL)
    case dataLayer(name: String, script: URL, ready: String?)
    case custom(id: String, script: URL?, source: String)
    case combined([UniversalTag])
  }

  /// An unpublished state of a Google container.
  public struct GTMEnvironment: Sendable, Hashable {
    /// The value of `gtm_auth`.
    public var auth: String
    /// The value of `gtm_preview`.
    public var preview: String

    /// Names a state.
    public init(auth: String, preview: String) {
      self.auth = auth
      self.preview = preview
    }
  }

  let kind: Kind

  /// A Tealium profile, the page of which is published.
  public static let utag = UniversalTag(kind: .utag)
  /// A Matomo container.
  public static func matomo(_ container: URL) -> UniversalTag { UniversalTag(kind: .matomo(container)) }
  /// A Google web container.
  public static func gtm(
    _ id: String, dataLayer: String = "dataLayer", environment: GTMEnvironment? = nil
  ) -> UniversalTag {
    UniversalTag(kind: .gtm(id: id, dataLayer: dataLayer, environment: environment))
  }
  /// A Google tag.
  public static func gtag(_ id: String) -> UniversalTag { UniversalTag(kind: .gtag(id)) }
  /// An Adobe web container.
  public static func adobe(_ script: URL) -> UniversalTag { UniversalTag(kind: .adobe(script)) }
  /// A Segment source.
  public static func segment(key: String, host: String = "cdn.segment.com") -> UniversalTag {
    UniversalTag(kind: .segment(key: key, host: host))
  }
  /// A Piwik PRO container.
  public static func piwikPro(_ script: URL) -> UniversalTag { UniversalTag(kind: .piwikPro(script)) }
  /// Any script that reads a list.
  ///
  /// - Parameter ready: a path of a global that is truthy when the script is ready, such as `my.tag.ready`.
  public static func dataLayer(name: String, script: URL, ready: String? = nil) -> UniversalTag {
    UniversalTag(kind: .dataLayer(name: name, script: script, ready: ready))
  }
  /// A script of the app's own.
  ///
  /// - Parameter source: an expression that is `{probe(), deliver(event)}`; an event has `type`, `name`, `data`, `uids`.
  public static func custom(id: String, script: URL? = nil, source: String) -> UniversalTag {
    UniversalTag(kind: .custom(id: id, script: script, source: source))
  }
  /// Several in one page, which the first of them makes: ready when all are, delivered when all are.
  public static func combined(_ tags: [UniversalTag]) -> UniversalTag { UniversalTag(kind: .combined(tags)) }

  /// The name, such as `utag`.
  public var id: String {
    switch kind {
    case .utag: "utag"
    case .matomo: "matomo"
    case .gtm: "gtm"
    case .gtag: "gtag"
    case .adobe: "adobe"
    case .segment: "segment"
    case .piwikPro: "piwikPro"
    case .dataLayer: "dataLayer"
    case .custom(let id, _, _): id
    case .combined(let tags): tags.map(\.id).joined(separator: "+")
    }
  }

  /// Those that it is made of, in order.
  var parts: [UniversalTag] {
    if case .combined(let tags) = kind { tags.flatMap(\.parts) } else { [self] }
  }

  /// Whether a page is made here, because none is published.
  var needsShell: Bool {
    switch kind {
    case .utag, .custom(_, nil, _): false
    case .combined(let tags): tags.first?.needsShell ?? false
    default: true
    }
  }
}
