import Authoring
import Hits

/// What somebody did, as the log of a person's day would say it (CO-403).
struct ActivitySentence: Sendable {
  /// A line of the log as the API tells it.
  let line: [String: Value]
  /// The draft of the container that the page is about, for the names of what was saved.
  var workspace: Workspace?

  /// What was done, and whether what it was done to says anything more.
  private static let phrases: [Activity.Action: (text: String, hasSubject: Bool)] = [
    .setUp: ("set the server up", false), .containerCreated: ("made the container", false),
    .containerChanged: ("changed the container's", true), .containerRemoved: ("removed the container", false),
    .containerRestored: ("brought the container back", false), .draftSaved: ("saved in the draft:", true),
    .versionCreated: ("made", true), .versionApproved: ("approved", true), .published: ("published in", true),
    .environmentCreated: ("made", true), .environmentTokenRenewed: ("made a new token for", true),
    .environmentRemoved: ("removed", true), .tokenCreated: ("made", true), .tokenRevoked: ("revoked", true),
    .tokenUsed: ("used", true), .previewCreated: ("made a preview link", false),
    .previewRevoked: ("revoked a preview link", false), .signedIn: ("signed in", false),
    .signInFailed: ("could not sign in", false), .signedOut: ("signed out", false), .userCreated: ("made", true),
    .userChanged: ("changed", true), .passwordChanged: ("changed the password of", true),
    .refused: ("was refused", true),
  ]

  private var action: Activity.Action { Activity.Action(rawValue: line.word("action")) }

  /// What was done.
  var html: HTML {
    switch (action, line.word("subject")) {
    case (.draftSaved, "workspace"): return HTML(text: "saved the whole draft")
    case (.draftSaved, "import"): return HTML(text: "imported into the draft")
    default: break
    }
    let phrase = Self.phrases[action] ?? (line.word("action"), true)
    guard phrase.hasSubject else { return HTML(text: phrase.text) }
    return HTML(text: phrase.text + " ") + subject
  }

  /// What it was done to: an entity of the draft by its name.
  private var subject: HTML {
    let subject = line.word("subject")
    let words = subject.split(separator: " ", maxSplits: 1).map(String.init)
    guard action == .draftSaved, words.count == 2, let workspace,
      let collection = EntityCollection.allCases.first(where: { $0.kind.rawValue == words[0] })
    else { return HTML(text: subject) }
    guard let name = collection.entity(words[1], in: workspace)?.word("name"), !name.isEmpty else {
      return HTML(text: "\(collection.noun) \(words[1])")
    }
    return HTML(text: collection.noun + " ")
      + element(
        "a", .href(.container(line.word("container"), collection.rawValue).adding(words[1])), text: name)
  }

  /// What was before, or is now; the numbers of a draft are those of its revisions.
  func state(_ key: String) -> String {
    let text = line.word(key)
    return action == .draftSaved && !text.isEmpty ? "revision \(text)" : text
  }
}
