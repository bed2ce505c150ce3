import Hits

/// What every page has around its content: head, way to the content, navigation, what was just done.
struct PageFrame: Sendable {
  var title: String
  /// The person; nil before signing in.
  var visit: Visit?
  /// The container that the page is about.
  var container: ContainerFacts?
  /// The part of the navigation that the page belongs to.
  var part: NavigationPart?
  /// Whether the page wants the script of live views.
  var isLive = false

  /// The whole document.
  func page(status: Int = 200, @HTMLBuilder content: () -> HTML) -> ServerResponse {
    let body = content()
    return .page(
      element("html", Attribute("lang", "en")) {
        head
        element("body") {
          element("a", .class("skip"), Attribute("href", "#content"), text: "Skip to the content")
          banner
          element("div", .class("frame")) {
            if let container { navigation(container) }
            element("main", .id("content"), Attribute("tabindex", "-1")) {
              notice
              body
            }
          }
        }
      }, status: status)
  }

  private var head: HTML {
    let assets = AssetShelf.own
    return element("head") {
      element("meta", Attribute("charset", "utf-8"))
      element("meta", .name("viewport"), Attribute("content", "width=device-width, initial-scale=1"))
      element("meta", .name("color-scheme"), Attribute("content", "light dark"))
      element("title", text: title.isEmpty ? "Tagworks" : "\(title) · Tagworks")
      element("link", Attribute("rel", "icon"), Attribute("href", "data:,"))
      element("link", Attribute("rel", "stylesheet"), .href(assets.style))
      element("script", .type("module"), Attribute("src", assets.console.text))
      if isLive { element("script", .type("module"), Attribute("src", assets.live.text)) }
    }
  }

  private var banner: HTML {
    element("header", .class("banner")) {
      element("a", .class("brand"), .href(.home), text: "Tagworks")
      if let visit {
        element("nav", .label("Server")) {
          element("ul") {
            link("Containers", .home, isHere: part == .containers)
            if visit.mayEverywhere(.read) { link("Hits", .hits, isHere: part == .hits) }
            link("Activity", .activity, isHere: part == .activity && container == nil)
            if visit.mayEverywhere(.admin) {
              link("Settings", .settings, isHere: part == .settings && container == nil)
            }
          }
        }
        element("div", .class("person")) {
          element("a", .href(.account), text: visit.user.name)
          element("form", Attribute("method", "post"), .action(.signOut)) {
            FormParts.token(visit)
            element("button", .type("submit"), .class("plain"), text: "Sign out")
          }
        }
      }
    }
  }

  private func navigation(_ container: ContainerFacts) -> HTML {
    element("nav", .class("container-nav"), .label("Container")) {
      element("p", .class("container-name")) {
        element("strong", text: container.name)
        element("span", .class("mono"), text: container.id)
      }
      element("ul") {
        for part in NavigationPart.ofContainer {
          link(part.title, .container(container.id, part.segment), isHere: part == self.part)
        }
      }
    }
  }

  private func link(_ text: String, _ address: PageAddress, isHere: Bool) -> HTML {
    element("li") {
      element("a", .href(address), isHere ? Attribute("aria-current", "page") : nil, text: text)
    }
  }

  private var notice: HTML? {
    guard let text = visit?.query["done"].flatMap(Notice.init(rawValue:))?.text else { return nil }
    return element("p", .class("notice"), Attribute("role", "status"), text: text)
  }
}

/// The parts of the navigation.
enum NavigationPart: Sendable, Hashable {
  case containers, hits, activity, settings
  case overview, changes, tags, triggers, variables, builtIns, folders, templates, versions, preview, live, exchange

  static let ofContainer: [NavigationPart] = [
    .overview, .tags, .triggers, .variables, .builtIns, .folders, .templates, .changes, .versions, .preview, .live,
    .exchange, .activity, .settings,
  ]

  /// The segment of its page behind a container's; nil for the container's own page.
  var segment: String? {
    switch self {
    case .overview, .containers, .hits: nil
    case .builtIns: "builtInVariables"
    default: "\(self)"
    }
  }

  var title: String {
    switch self {
    case .containers: "Containers"
    case .hits: "Hits"
    case .activity: "Activity"
    case .settings: "Settings"
    case .overview: "Overview"
    case .changes: "Draft changes"
    case .tags: "Tags"
    case .triggers: "Triggers"
    case .variables: "Variables"
    case .builtIns: "Built-in variables"
    case .folders: "Folders"
    case .templates: "Templates"
    case .versions: "Versions"
    case .preview: "Preview"
    case .live: "Live view"
    case .exchange: "Import and export"
    }
  }
}

/// What a form has done, told on the page that it leads to.
enum Notice: String, Sendable {
  case saved, removed, versionMade, published, rolledBack, imported, revoked, renamed, restored, userMade, userChanged
  case passwordChanged, approved

  var text: String {
    switch self {
    case .saved: "Saved."
    case .removed: "Removed."
    case .versionMade: "The version is made."
    case .published: "Published. Apps get it with their next refresh."
    case .rolledBack: "Rolled back. Apps get it with their next refresh."
    case .imported: "Imported into the draft."
    case .revoked: "Revoked."
    case .renamed: "Renamed."
    case .restored: "Restored."
    case .userMade: "The person may sign in now."
    case .userChanged: "Changed."
    case .passwordChanged: "The password is changed; other sessions have ended."
    case .approved: "Approved."
    }
  }
}

extension PageAddress {
  /// The same page, which then tells what was done.
  func telling(_ notice: Notice) -> PageAddress { asking("done", notice.rawValue) }
}
