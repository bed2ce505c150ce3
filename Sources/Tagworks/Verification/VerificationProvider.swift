import Hits
import VideoAds
import WebTags

/// The script that gives a page `omid3p` before any other script runs (VA-900 to VA-904).
///
/// Its text is constant; what differs by ad enters as one JSON constant with everything escaped that could end it.
/// It says `{"t": "loaded" | "failed", "script": place}` and `{"t": "url", "url": text}`, and takes
/// `__tagworksVerification.run()` and `.send(event)`.
enum VerificationProvider {
  static func source(
    _ scripts: [VerificationScript], context: VerificationContext, origin: String, device: any Device
  ) -> String {
    let constants: Value = [
      "origin": .string(origin), "adSessionId": .string(context.adSessionID),
      "context": self.context(context, device),
      "scripts": .list(
        scripts.map { script in
          [
            "url": .string(script.url), "vendor": script.vendor.map { .string($0) } ?? .absent,
            "parameters": script.parameters.map { .string($0) } ?? .absent,
          ]
        }),
    ]
    return "(\(text))(\(PageJSON.inScript(constants)));"
  }

  /// What the first event tells of the app (VA-904); nothing in it says who a person is (VA-1206).
  private static func context(_ context: VerificationContext, _ device: any Device) -> Value {
    [
      "apiVersion": "1.0", "environment": "app", "accessMode": "limited", "adSessionType": "javascript",
      "omidNativeInfo": [
        "partnerName": .string(context.partnerName), "partnerVersion": .string(context.partnerVersion),
      ],
      "omidJsInfo": ["omidImplementer": "tagworks", "serviceVersion": .string(ProductInfo.version)],
      "deviceCategory": .string(category(of: device.platform)),
      "app": [
        "appId": device.appID.map { .string($0) } ?? .absent, "libraryVersion": .string(ProductInfo.version),
      ],
      "deviceInfo": [
        "deviceType": .string(device.model), "os": .string(device.platform), "osVersion": .string(device.osVersion),
      ],
    ]
  }

  private static func category(of platform: String) -> String {
    switch platform {
    case "iOS", "watchOS": "mobile"
    case "tvOS": "ctv"
    case "macOS", "Linux": "desktop"
    default: "other"
    }
  }

  private static let text = #"""
    function (constants) {
      "use strict";
      const handler = window.webkit && window.webkit.messageHandlers && window.webkit.messageHandlers.tagworks;
      if (!handler || window.top !== window || window.location.origin !== constants.origin) { return; }
      const postNatively = handler.postMessage.bind(handler), parse = JSON.parse, stringify = JSON.stringify;
      const say = (type, value) => { postNatively(stringify(Object.assign({ t: type }, value))); };

      const isSession = (type) => ["sessionStart", "sessionError", "sessionFinish"].includes(type);
      const isMedia = (type) => !isSession(type) && type !== "impression" && type !== "geometryChange";
      const past = [], listeners = [];

      const give = (listener, event) => {
        if (!listener.takes(event.type)) { return; }
        const copy = parse(stringify(event));
        if (event.type === "sessionStart") {
          copy.data.context = parse(stringify(constants.context));
          const own = constants.scripts.find((script) => script.vendor === listener.vendor && script.parameters !== undefined);
          if (listener.vendor !== undefined && own) { copy.data.verificationParameters = own.parameters; }
        }
        try { listener.tell(copy); } catch (error) { console.error(String(error)); }
      };

      // What registers while its script still runs hears nothing before the script has run.
      const add = (takes, tell, vendor) => {
        if (typeof tell !== "function") { return; }
        queueMicrotask(() => {
          const listener = { takes, tell, vendor: typeof vendor === "string" ? vendor : undefined };
          const before = past.slice();
          listeners.push(listener);
          for (const event of before) { give(listener, event); }
        });
      };
      const observe = (tell, vendor) => { add(isSession, tell, vendor); };
      const listen = (type, tell) => {
        add(type === "media" || type === "video" ? isMedia : (own) => own === type, tell);
      };

      Object.defineProperty(window, "omid3p", {
        value: Object.freeze({
          registerSessionObserver(tell, vendorKey, injectionId) { observe(tell, vendorKey); },
          addEventListener(type, tell, injectionId) { listen(String(type), tell); },
        }),
      });
      Object.defineProperty(window, "omidVerificationProperties", {
        value: Object.freeze({ injectionSource: "app", serviceWindow: window }),
      });

      const timers = [];
      const start = (source, kind, id, handle) => { timers.push({ source, kind, id, handle }); };
      const end = (source, kind, id, clear) => {
        const place = timers.findIndex((timer) => timer.source === source && timer.kind === kind && timer.id === id);
        if (place >= 0) { clear(timers.splice(place, 1)[0].handle); }
      };
      const methods = {
        addSessionListener(answer, source, vendorKey) { observe(answer, vendorKey); },
        addEventListener(answer, source, type) { listen(String(type), answer); },
        isSupported(answer) { answer(true); },
        injectionSource(answer) { answer("app"); },
        getEnvironment(answer) { answer("app"); },
        attest(answer) { answer(false, "unsupported"); },
        sendUrl(answer, source, url) {
          say("url", { url: String(url) });
          answer(true);
        },
        injectJavaScriptResource(answer, source, url) {
          fetch(String(url)).then((response) => response.ok ? response.text() : Promise.reject(response.status))
            .then((text) => answer(true, text), () => answer(false));
        },
        setTimeout(answer, source, id, time) {
          start(source, "timeout", id, setTimeout(() => { end(source, "timeout", id, () => {}); answer(); }, time));
        },
        clearTimeout(answer, source, id) { end(source, "timeout", id, clearTimeout); },
        setInterval(answer, source, id, time) { start(source, "interval", id, setInterval(() => answer(), time)); },
        clearInterval(answer, source, id) { end(source, "interval", id, clearInterval); },
      };

      // Scripts in a frame of their own call by messages (VA-901); an answer has the form of its question.
      const prefix = "VerificationService.";
      window.addEventListener("message", (event) => {
        const { data: message, source } = event;
        if (message === null || typeof message !== "object" || !source) { return; }
        const { omid_message_guid: guid, omid_message_method: method, omid_message_version: version } = message;
        if (typeof guid !== "string" || typeof method !== "string" || !method.startsWith(prefix)) { return; }
        const name = method.slice(prefix.length), isText = typeof message.omid_message_args === "string";
        if (!Object.hasOwn(methods, name)) { return; }
        let values = message.omid_message_args;
        try { if (isText) { values = parse(values); } } catch (error) { return; }
        const answer = (...answers) => {
          source.postMessage({
            omid_message_guid: guid, omid_message_method: "response", omid_message_version: version,
            omid_message_args: isText ? stringify(answers) : answers,
          }, "*");
        };
        methods[name](answer, source, ...(Array.isArray(values) ? values : []));
      });

      const places = new Map();
      window.addEventListener("error", () => {
        const place = places.get(document.currentScript);
        if (place !== undefined) { say("failed", { script: place }); }
      }, true);

      const bridge = {
        run() {
          for (const name of ["omid_v1_present", "omid_v1_present_app"]) {
            const frame = document.createElement("iframe");
            frame.id = frame.name = name;
            frame.style.display = "none";
            frame.setAttribute("sandbox", "");
            document.body.appendChild(frame);
          }
          constants.scripts.forEach((script, place) => {
            const element = document.createElement("script");
            places.set(element, place);
            element.onload = () => say("loaded", { script: place });
            element.onerror = () => say("failed", { script: place });
            element.src = script.url;
            document.body.appendChild(element);
          });
        },
        send(event) {
          const now = listeners.slice(), whole = Object.assign({ adSessionId: constants.adSessionId }, event);
          if (past.length < 1000) { past.push(whole); }
          for (const listener of now) { give(listener, whole); }
        },
      };
      Object.defineProperty(window, "__tagworksVerification", { value: Object.freeze(bridge) });
    }
    """#
}
