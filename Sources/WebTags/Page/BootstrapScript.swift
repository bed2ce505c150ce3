/// The constant text of the bootstrap: a function from constants and the makers of adapters to nothing.
///
/// Messages go out as `{"k": token, "t": type, "v": value}` with the types `command`, `log`, `resource`, `confirm` and
/// `beacon` (WT-710).
enum BootstrapScript {
  static let text = #"""
    function (constants, makeAdapters) {
      "use strict";
      const parse = JSON.parse, stringify = JSON.stringify, slice = Array.prototype.slice;
      const NativePromise = Promise, fetchNatively = window.fetch, openNatively = window.open;
      const later = window.setTimeout.bind(window);
      const handler = window.webkit && window.webkit.messageHandlers && window.webkit.messageHandlers.tagworks;
      if (!handler || window.top !== window || window.location.origin !== constants.origin) { return; }
      const postNatively = handler.postMessage.bind(handler);
      const own = Object.prototype.hasOwnProperty;
      const post = (type, value) => { postNatively(stringify({ k: constants.token, t: type, v: value })); };
      const textOf = (value) => {
        try { return String(value).slice(0, 1024); } catch (error) { return "unprintable"; }
      };
      const describe = (error) => {
        const known = error !== null && typeof error === "object";
        return {
          error: textOf(error),
          source: known && typeof error.sourceURL === "string" ? error.sourceURL : null,
          line: known && typeof error.line === "number" ? error.line : null,
        };
      };

      if (Object.keys(constants.overrides).length > 0) {
        let value = Object.assign({}, constants.overrides);
        Object.defineProperty(window, "utag_cfg_ovrd", {
          configurable: true, enumerable: true,
          get() { return value; },
          set(given) { value = Object.assign({}, given, constants.overrides); },
        });
      }

      window.addEventListener("error", (event) => {
        const target = event.target;
        if (target && target !== window && (target.src || target.href)) {
          post("resource", { url: textOf(target.src || target.href), tag: textOf(target.tagName) });
        } else if (event.message) {
          post("log", { level: "error", text: textOf(event.message), source: textOf(event.filename || ""), line: event.lineno || 0 });
        }
      }, true);

      const prefix = constants.scheme + "://";
      const isCommand = (url) => textOf(url).slice(0, prefix.length).toLowerCase() === prefix;
      window.open = function (url) {
        if (url !== undefined && url !== null && isCommand(url)) {
          post("command", { url: String(url) });
          return null;
        }
        return openNatively.apply(window, slice.call(arguments));
      };

      if (constants.beaconFallback && typeof navigator.sendBeacon === "function") {
        const sendNatively = navigator.sendBeacon.bind(navigator);
        navigator.sendBeacon = function (url, data) {
          if (sendNatively(url, data)) { return true; }
          const isSimple = !(data instanceof Blob) || ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]
            .indexOf(String(data.type).split(";")[0]) >= 0;
          post("beacon", {});
          fetchNatively.call(window, url, {
            method: "POST", body: data, credentials: "include", mode: isSimple ? "no-cors" : "cors",
          }).catch(() => {});
          return true;
        };
      }

      let adapters = null, failure = null;
      try { adapters = makeAdapters(); } catch (error) { failure = error; }
      for (const source of constants.scripts) {
        window.addEventListener("DOMContentLoaded", () => {
          const script = document.createElement("script");
          script.src = source;
          document.body.appendChild(script);
        });
      }

      const answers = new Map();
      let calls = 0;

      const run = (event) => {
        const pending = [];
        for (const adapter of adapters) {
          const result = adapter.deliver(event);
          if (result !== null && typeof result === "object" && typeof result.then === "function") { pending.push(result); }
        }
        return pending;
      };

      const bridge = {
        ping(value) { return value; },
        probe() {
          if (failure !== null) { throw failure; }
          return { ready: adapters.every((adapter) => adapter.probe() === true) };
        },
        deliver(batch) {
          const results = [], waits = [];
          for (const event of batch.events) {
            const result = { id: event.id, ok: true, confirmed: false };
            results.push(result);
            let pending = [];
            const fail = (error) => { Object.assign(result, { ok: false }, describe(error)); };
            try { pending = run(event); } catch (error) { fail(error); }
            if (pending.length === 0 || !result.ok) {
              post("confirm", Object.assign({ final: true }, result));
              continue;
            }
            post("confirm", { id: event.id, final: false });
            const limit = new NativePromise((resolve) => later(() => resolve(false), 3000));
            const done = NativePromise.all(pending).then(() => true);
            waits.push(NativePromise.race([done, limit]).then(
              (confirmed) => { result.confirmed = confirmed; }, fail
            ).then(() => { post("confirm", Object.assign({ final: true }, result)); }));
          }
          return NativePromise.all(waits).then(() => ({ results }));
        },
        respond(answer) {
          if (answer.call !== undefined && answer.call !== null) {
            const resolve = answers.get(answer.call);
            answers.delete(answer.call);
            if (resolve) { resolve({ status: answer.status, body: answer.body, encoding: answer.encoding }); }
            return resolve !== undefined;
          }
          let found = window.utag;
          for (const name of ["mobile", "remote_api", "response", answer.command, answer.response_id]) {
            if (found === null || found === undefined || !own.call(found, name)) { return false; }
            found = found[name];
          }
          if (typeof found !== "function") { return false; }
          const rest = answer.encoding ? [{ encoding: answer.encoding }] : [];
          found(answer.status, answer.body === null ? undefined : answer.body, ...rest);
          return true;
        },
        command(id, payload) {
          return new NativePromise((resolve) => {
            calls += 1;
            answers.set(calls, resolve);
            post("command", { id: String(id), payload: payload === undefined ? {} : payload, call: calls });
          });
        },
      };
      Object.defineProperty(window, "__tagworks", {
        value: Object.freeze(bridge), writable: false, configurable: false, enumerable: false,
      });
    }
    """#
}
