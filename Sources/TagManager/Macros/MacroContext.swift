package import Hits

/// What a macro function may see besides its arguments.
///
/// One context serves one event pass, so every macro of an event sees the same data layer and the same time (TM-521,
/// TM-615).
package struct MacroContext: Sendable {
  /// The data layer as of the push (TM-521), or the latest state outside an event.
  package var dataLayer: DataLayerModel
  /// The event's name; nil outside an event.
  package var event: String?
  /// The update that made the event; empty outside one.
  package var update: [String: Value]
  /// Wall milliseconds of the push, or of the call outside an event (TM-564).
  package var time: Int64
  /// The container's id.
  package var containerID: ContainerID
  /// The container's version.
  package var containerVersion: String
  /// What the person allows.
  package var consent: Consent
  /// Facts about the device and the app.
  package var device: any Device
  /// Advertising and device ids, if the app gives them.
  package var identifiers: (any IdentifierProvider)?
  /// Random numbers.
  package var random: any RandomSource
  /// The click string kept for a conversion id (TM-546).
  package var clickString: @Sendable (String) -> String?
  /// The app's function-call macro of a name, if one is registered (TM-660).
  package var macroHandler: @Sendable (String) -> (any FunctionCallMacroHandler)?
  /// The compiled patterns of the container's generation (TM-705).
  package var regexes: RegexCache
  /// Tells the container's author something; the receiver tells it once.
  package var report: @Sendable (Diagnostic) -> Void
}
