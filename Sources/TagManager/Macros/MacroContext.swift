package import Hits

/// What a macro function may see besides its arguments.
///
/// One context serves one event pass, so every macro of an event sees the same data layer and the same time (TM-521,
/// TM-615).
package struct MacroContext: Sendable {
  /// The data layer as of the push (TM-521), or the latest state outside an event.
  package let dataLayer: DataLayerModel
  /// The event's name; nil outside an event.
  package let event: String?
  /// The update that made the event; empty outside one.
  package let update: [String: Value]
  /// Wall milliseconds of the push, or of the call outside an event (TM-564).
  package let time: Int64
  /// What the person allows.
  package let consent: Consent
  private let surroundings: MacroSurroundings

  package init(
    dataLayer: DataLayerModel, event: String?, update: [String: Value], time: Int64, consent: Consent,
    in surroundings: MacroSurroundings
  ) {
    self.dataLayer = dataLayer
    self.event = event
    self.update = update
    self.time = time
    self.consent = consent
    self.surroundings = surroundings
  }

  /// The container's id.
  package var containerID: ContainerID { surroundings.containerID }
  /// The container's version.
  package var containerVersion: String { surroundings.containerVersion }
  /// Facts about the device and the app.
  package var device: any Device { surroundings.device }
  /// Advertising and device ids, if the app gives them.
  package var identifiers: (any IdentifierProvider)? { surroundings.identifiers }
  /// Random numbers.
  package var random: any RandomSource { surroundings.random }
  /// The compiled patterns of the container's generation (TM-705).
  package var regexes: RegexCache { surroundings.regexes }
  /// The click string kept for a conversion id (TM-546).
  package func clickString(_ id: String) -> String? { surroundings.clickString(id) }
  /// The app's function-call macro of a name, if one is registered (TM-660).
  package func macroHandler(_ name: String) -> (any FunctionCallMacroHandler)? { surroundings.macroHandler(name) }
  /// Tells the container's author something; the receiver tells it once.
  package func report(_ diagnostic: Diagnostic) { surroundings.report(diagnostic) }
}

/// What the macros of a content see in every pass alike.
///
/// It is a class, so that a pass does not copy all of it.
package final class MacroSurroundings: Sendable {
  let containerID: ContainerID
  let containerVersion: String
  let device: any Device
  let identifiers: (any IdentifierProvider)?
  let random: any RandomSource
  let regexes: RegexCache
  let clickString: @Sendable (String) -> String?
  let macroHandler: @Sendable (String) -> (any FunctionCallMacroHandler)?
  let report: @Sendable (Diagnostic) -> Void

  package init(
    containerID: ContainerID, containerVersion: String, device: any Device, identifiers: (any IdentifierProvider)?,
    random: any RandomSource, regexes: RegexCache, clickString: @escaping @Sendable (String) -> String?,
    macroHandler: @escaping @Sendable (String) -> (any FunctionCallMacroHandler)?,
    report: @escaping @Sendable (Diagnostic) -> Void
  ) {
    self.containerID = containerID
    self.containerVersion = containerVersion
    self.device = device
    self.identifiers = identifiers
    self.random = random
    self.regexes = regexes
    self.clickString = clickString
    self.macroHandler = macroHandler
    self.report = report
  }
}
