/// The tags that the engine brings along, by function; every other function is for the app to register (TM-850).
package enum BuiltInTags {
  /// The tag of a function; nil when it is none of ours.
  package static subscript(_ function: FunctionName) -> (any BuiltInTag)? { all[function] }

  private static let all: [FunctionName: any BuiltInTag] = [
    .functionCall: FunctionCallTag(),
    .analytics: AnalyticsTag(),
    .image: ImageTag(),
    .conversion: ConversionTag(),
    .dataLayerWrite: DataLayerWriteTag(),
    .measurementEvent: MeasurementEventTag(),
    .http: HTTPTag(),
  ]
}
