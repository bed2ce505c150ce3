/// The page's side of the universal tags: functions from constants to `{probe, deliver}` (WT-601).
///
/// `deliver` gets `{id, type, name, data, uids}`. What it returns without a promise is delivered, not confirmed.
enum UniversalTagScripts {
  static let utag = """
    function () {
      return {
        probe() {
          const u = window.utag;
          return u !== null && typeof u === "object" && !!u.handler && u.handler.iflag === 1 &&
            typeof u.track === "function";
        },
        deliver(event) {
          return new Promise((resolve) => {
            const rest = event.uids ? [event.uids] : [];
            window.utag.track(event.type, event.data, () => resolve(), ...rest);
          });
        },
      };
    }
    """

  static let matomo = """
    function () {
      return {
        probe() { return !!window.MatomoTagManager && typeof window.MatomoTagManager.addContainer === "function"; },
        deliver(event) {
          const name = event.type === "view" ? "mtm.PageView" : event.name;
          window._mtm.push(Object.assign({}, event.data, { event: name }));
        },
      };
    }
    """

  static let gtm = """
    function (constants) {
      let previous = [];
      return {
        probe() {
          const list = window[constants.name];
          return !!(window.google_tag_manager && window.google_tag_manager[constants.id]) && !!list &&
            list.push !== Array.prototype.push;
        },
        deliver(event) {
          return new Promise((resolve) => {
            const list = window[constants.name];
            const cleared = {};
            for (const key of previous) { if (!Object.hasOwn(event.data, key)) { cleared[key] = undefined; } }
            if (Object.keys(cleared).length > 0) { list.push(cleared); }
            previous = Object.keys(event.data);
            list.push(Object.assign({}, event.data, {
              event: event.name, eventCallback: () => resolve(), eventTimeout: 2000,
            }));
          });
        },
      };
    }
    """

  static let gtag = """
    function (constants) {
      return {
        probe() { return !!(window.google_tag_manager && window.google_tag_manager[constants.id]); },
        deliver(event) {
          return new Promise((resolve) => {
            const isView = event.type === "view";
            const view = isView ? { page_title: event.name } : {};
            window.gtag("event", isView ? "page_view" : event.name, Object.assign({}, event.data, view, {
              event_callback: () => resolve(), event_timeout: 2000,
            }));
          });
        },
      };
    }
    """

  static let adobe = """
    function () {
      return {
        probe() {
          return window.__satelliteLoaded === true && !!window._satellite && typeof window._satellite.track === "function";
        },
        deliver(event) { window._satellite.track(event.name, event.data); },
      };
    }
    """

  static let segment = """
    function () {
      let isReady = false, isAsked = false;
      return {
        probe() {
          if (!isAsked && window.analytics && typeof window.analytics.ready === "function") {
            isAsked = true;
            window.analytics.ready(() => { isReady = true; });
          }
          return isReady;
        },
        deliver(event) {
          if (event.type === "view") {
            window.analytics.page(event.name, event.data);
            return undefined;
          }
          return new Promise((resolve) => window.analytics.track(event.name, event.data, () => resolve()));
        },
      };
    }
    """

  /// Keeps the calls that are made before the library is there, in the form that it takes over.
  static let segmentStub = """
    window.analytics=window.analytics||[];for(const m of ["page","track","identify","ready","on","group","alias","reset"])\
    {window.analytics[m]=function(){window.analytics.push([m].concat(Array.prototype.slice.call(arguments)))}}
    """

  static let piwikPro = """
    function () {
      return {
        probe() { return typeof window.ppms === "object" && window.ppms !== null; },
        deliver(event) { window.dataLayer.push(Object.assign({}, event.data, { event: event.name })); },
      };
    }
    """

  static let dataLayer = """
    function (constants) {
      let isLoaded = false;
      window.addEventListener("load", (event) => {
        if (event.target && event.target.src === constants.script) { isLoaded = true; }
      }, true);
      return {
        probe() {
          if (constants.ready === null) { return isLoaded; }
          let value = window;
          for (const name of constants.ready.split(".")) {
            value = value === null || value === undefined ? undefined : value[name];
          }
          return !!value;
        },
        deliver(event) { window[constants.name].push(Object.assign({}, event.data, { event: event.name })); },
      };
    }
    """
}
