import Hits

/// The page and the script of our own universal tag (WT-650, WT-652).
enum UniversalTagText {
  /// The page, in the form of a published mobile page (WT-206).
  static func page(_ profile: WebTagProfile, path: String, published: String) -> String {
    """
    <!-- mobile.webview ut4.0.\(published) -->
    <!doctype html>
    <html><head><meta charset="utf-8"><title>Tagworks</title>
    <script>var utag_cfg_ovrd={noview:true};var mps = \(escaped(["4": [:], "5": .map(profile.settings)]));</script>
    <script>if(/[?&]sdk_session_count=true/.test(location.search)){utag_cfg_ovrd.no_session_count=true}</script>
    <script src="\(path)/utag.js"></script>
    </head><body></body></html>

    """
  }

  /// The script, with its profile as one constant.
  static func script(_ profile: WebTagProfile) -> String { "(\(source))(\(escaped(profile.script)));\n" }

  /// JSON that can end neither a script element nor a line of a script.
  private static func escaped(_ value: Value) -> String {
    var text = ""
    for scalar in value.jsonText.unicodeScalars {
      switch scalar {
      case "<", ">", "&", "\u{2028}", "\u{2029}":
        text += "\\u" + scalar.value.padded(to: 4, radix: 16)
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// Data reaches vendors as encoded parts of URLs and in no other way.
  private static let source = #"""
    function (profile) {
      "use strict";
      const settings = () => window.utag_cfg_ovrd || {};
      const textOf = (value) => value === null || value === undefined ? "" :
        typeof value === "object" ? JSON.stringify(value) : String(value);
      const own = (data, key) => Object.prototype.hasOwnProperty.call(data, key);
      const holds = (condition, data) => {
        const text = own(data, condition.key) ? textOf(data[condition.key]) : "";
        let result = false;
        switch (condition.op) {
          case "equals": result = own(data, condition.key) && text === condition.value; break;
          case "contains": result = text.includes(condition.value); break;
          case "startsWith": result = text.startsWith(condition.value); break;
          case "endsWith": result = text.endsWith(condition.value); break;
          case "exists": result = own(data, condition.key); break;
          case "matches": try { result = new RegExp(condition.value).test(text); } catch (error) { result = false; } break;
        }
        return condition.not ? !result : result;
      };
      const passes = (rule, data) => profile.rules[rule].some((list) => list.every((condition) => holds(condition, data)));
      const start = (tag, data) => {
        const url = tag.url.map((piece) =>
          typeof piece === "string" ? piece : encodeURIComponent(own(data, piece.key) ? textOf(data[piece.key]) : "")).join("");
        if (tag.kind === "pixel") {
          const image = new Image();
          image.src = url;
          utag.started.push(image);
          if (utag.started.length > 100) { utag.started.shift(); }
        } else {
          const script = document.createElement("script");
          script.async = true;
          script.src = url;
          document.head.appendChild(script);
        }
      };

      const visitor = () => {
        const found = document.cookie.split("; ").find((pair) => pair.startsWith("utag_main="));
        if (found) { return; }
        const bytes = crypto.getRandomValues(new Uint8Array(16));
        const id = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("").toUpperCase();
        const secure = location.protocol === "https:" ? ";Secure" : "";
        document.cookie = "utag_main=v_id:" + id + ";Path=/;Max-Age=31536000" + secure;
      };

      const utag = {
        started: [],
        handler: { iflag: 0 },
        track(type, data, done, uids) {
          const given = data || {};
          for (const tag of profile.tags) {
            if (!tag.on.includes(type)) { continue; }
            if (Array.isArray(uids) && !uids.map(String).includes(tag.uid)) { continue; }
            if (tag.loadRule !== null && !passes(tag.loadRule, given)) { continue; }
            start(tag, given);
          }
          if (typeof done === "function") { done(); }
        },
        view(data, done, uids) { utag.track("view", data, done, uids); },
        link(data, done, uids) { utag.track("link", data, done, uids); },
        mobile: { remote_api: { response: {} } },
      };
      window.utag = utag;
      visitor();
      utag.handler.iflag = 1;
      if (!settings().noview) { utag.view(window.utag_data || {}); }
    }
    """#
}
