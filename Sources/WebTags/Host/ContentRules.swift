import Hits

/// A network policy as the rules of WebKit's content filter, which both adapters compile (WT-810, WT-811).
///
/// A later rule wins over an earlier one:
///
/// 1. everything is blocked;
/// 2. https and wss are let through, to the listed hosts where there is a list;
/// 3. literals of private and loopback ranges are blocked, unless they are listed literally;
/// 4. with `allowInsecure` http and ws to loopback are let through, where there is a list to what it holds of it;
/// 5. blocked hosts, and URLs with a user name, which could look like an allowed host, are blocked;
/// 6. scripts of a host that gives only some are blocked, but for those;
/// 7. URLs of the command scheme are let through: they reach no network, and a blocked `window.open` would not be seen.
package enum ContentRules {
  /// The rules as JSON.
  package static func json(for policy: NetworkPolicy, commandScheme: String) -> String {
    var rules: [Value] = [rule(".*", "block")]
    rules += ["blob:", "data:", "about:"].map { rule("^\($0)", "ignore-previous-rules") }
    let anywhere = policy.allowed.map { $0.map { pattern($0) + end } } ?? [""]
    rules += anywhere.flatMap { letThrough($0, ["https", "wss"]) }
    rules += privateHosts.map { rule("^[a-z]+://" + $0, "block") }
    let listed = (policy.allowed ?? []).filter { !$0.isWildcard }.map(\.host)
    rules += listed.flatMap { letThrough(escaped($0) + end, ["https", "wss"]) }
    if policy.allowInsecure {
      let loopback = policy.allowed == nil ? loopbackHosts : listed.filter(isLoopback).map(escaped)
      rules += loopback.flatMap { letThrough($0 + end, ["http", "https", "ws", "wss"]) }
    }
    for host in policy.blocked { rules.append(rule("^[a-z]+://" + pattern(host) + #"\.?[:/]"#, "block")) }
    rules.append(rule("^[a-z]+://[^/?#]*@", "block"))
    if let scripts = policy.scripts {
      rules.append(rule("^https?://" + escaped(scripts.host) + #"\.?(:[0-9]+)?/"#, "block", types: ["script"]))
      rules += scripts.allowed.filter(policy.allows).map {
        rule("^" + escaped($0) + "$", "ignore-previous-rules", types: ["script"])
      }
    }
    rules.append(rule("^" + escaped(commandScheme) + "://", "ignore-previous-rules"))
    return Value.list(rules).jsonText
  }

  /// Rules under which the main frame goes nowhere: what a page gets once its document is there (WT-704).
  package static let staysInPlace = Value.list([
    [
      "trigger": ["url-filter": ".*", "resource-type": ["document"], "load-context": ["top-frame"]],
      "action": ["type": "block"],
    ]
  ]).jsonText

  private static let end = "(:[0-9]+)?/"
  private static let loopbackHosts = [#"127\.[0-9.]+"#, #"localhost\.?"#, #"[^/:@]*\.localhost\.?"#, #"\[::1\]"#]
  /// Hosts as WebKit spells them: IPv4 in four decimal parts, IPv6 in its short form.
  private static let privateHosts =
    loopbackHosts.map { $0 + "[:/]" } + [
      #"0\.[0-9.]+[:/]"#, #"10\.[0-9.]+[:/]"#, #"100\.6[4-9]\.[0-9.]+[:/]"#, #"100\.[7-9][0-9]\.[0-9.]+[:/]"#,
      #"100\.1[01][0-9]\.[0-9.]+[:/]"#, #"100\.12[0-7]\.[0-9.]+[:/]"#, #"169\.254\.[0-9.]+[:/]"#,
      #"172\.1[6-9]\.[0-9.]+[:/]"#, #"172\.2[0-9]\.[0-9.]+[:/]"#, #"172\.3[01]\.[0-9.]+[:/]"#,
      #"192\.168\.[0-9.]+[:/]"#, #"192\.0\.0\.[0-9]+[:/]"#, #"198\.1[89]\.[0-9.]+[:/]"#, #"22[4-9]\.[0-9.]+[:/]"#,
      #"2[345][0-9]\.[0-9]+\.[0-9]+\.[0-9]+[:/]"#, #"\[::"#, #"\[f[cdf]"#, #"\[fe[89ab]"#, #"\[64:ff9b:"#,
      #"\[2002:"#,
    ]

  private static func rule(_ filter: String, _ action: String, types: [Value]? = nil) -> Value {
    let trigger: Value = ["url-filter": .string(filter), "resource-type": types.map { .list($0) } ?? .absent]
    return ["trigger": trigger, "action": ["type": .string(action)]]
  }

  private static func pattern(_ host: HostPattern) -> String {
    host.isWildcard ? #"[^/:@]+\."# + escaped(host.host) : escaped(host.host)
  }

  private static func escaped(_ host: String) -> String {
    String(host.flatMap { ".[]*+?(){}|^$\\".contains($0) ? ["\\", $0] : [$0] })
  }

  /// Lets URLs of some schemes through whose host and what follows match.
  private static func letThrough(_ host: String, _ schemes: [String]) -> [Value] {
    schemes.map { rule("^\($0)://" + host, "ignore-previous-rules") }
  }

  private static func isLoopback(_ host: String) -> Bool { WebURL("http://\(host)/")?.isLoopback ?? false }
}

extension NetworkPolicy {
  /// Whether a document or frame may come from a URL; what is not http or https is not judged here.
  package func allows(_ url: String) -> Bool {
    guard let url = WebURL(url) else { return false }
    // A host with a dot at its end is the same host to the resolver.
    let host = url.host.hasSuffix(".") ? String(url.host.dropLast()) : url.host
    if blocked.contains(where: { $0.matches(host) }) { return false }
    guard url.isSecure || url.isLoopback && allowInsecure else { return false }
    return allowed.map { $0.contains { $0.matches(url.host) } } ?? true
  }
}
