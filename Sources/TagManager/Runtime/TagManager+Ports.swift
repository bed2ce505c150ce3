public import Hits

extension TagManager {
  /// Everything outside that a tag manager reaches, and only through which it does (TM-1200, TM-1203).
  ///
  /// The defaults keep everything in memory and know no network; an app's own composition gives real ones.
  public struct Ports: Sendable {
    /// Where hits go.
    public var sink: any HitSink
    /// Sends requests of http tags and, with remote containers, their fetches; nil for no network.
    public var transport: (any HTTPTransport)?
    /// The part of the sink that decides when hits leave.
    public var dispatcher: (any HitDispatcher)?
    /// Wall and monotonic time.
    public var clock: any HitClock
    /// Facts about the device and the app.
    public var device: any Device
    /// Advertising and device ids; without it none is ever read (TM-662).
    public var identifiers: (any IdentifierProvider)?
    /// Random numbers.
    public var random: any RandomSource
    /// Whether there is a network.
    public var connectivity: (any Connectivity)?
    /// The containers the app ships with.
    public var defaultContainers: any DefaultContainerSource
    /// Keeps fetched containers.
    public var savedContainers: any SavedContainerStore
    /// The files `resource_<id>` that the original SDK saved, each taken over when nothing is saved yet (TM-214); nil for
    /// none.
    public var legacyContainers: (any DefaultContainerSource)?
    /// Checks signatures of containers; nil where none are looked at.
    public var signatureVerifier: (any SignatureVerifier)?
    /// Keeps data-layer values that have a lifetime.
    public var dataLayerStorage: any DataLayerStorage
    /// Keeps small facts for the life of the install.
    public var deviceStore: any DeviceStore
    /// Tag kinds of other targets and of the app, by function id (TM-850).
    public var tagFunctions: [String: any TagFunction]

    /// Makes a set of ports.
    public init(
      sink: any HitSink, transport: (any HTTPTransport)? = nil, dispatcher: (any HitDispatcher)? = nil,
      clock: any HitClock = SystemHitClock(), device: any Device = FixedDevice(),
      identifiers: (any IdentifierProvider)? = nil, random: any RandomSource = SystemRandomSource(),
      connectivity: (any Connectivity)? = nil,
      defaultContainers: any DefaultContainerSource = InMemoryDefaultContainers(),
      savedContainers: any SavedContainerStore = InMemorySavedContainers(),
      legacyContainers: (any DefaultContainerSource)? = nil,
      signatureVerifier: (any SignatureVerifier)? = nil,
      dataLayerStorage: any DataLayerStorage = InMemoryDataLayerStorage(),
      deviceStore: any DeviceStore = InMemoryDeviceStore(), tagFunctions: [String: any TagFunction] = [:]
    ) {
      self.sink = sink
      self.transport = transport
      self.dispatcher = dispatcher
      self.clock = clock
      self.device = device
      self.identifiers = identifiers
      self.random = random
      self.connectivity = connectivity
      self.defaultContainers = defaultContainers
      self.savedContainers = savedContainers
      self.legacyContainers = legacyContainers
      self.signatureVerifier = signatureVerifier
      self.dataLayerStorage = dataLayerStorage
      self.deviceStore = deviceStore
      self.tagFunctions = tagFunctions
    }

    /// Adds a tag kind under a function id such as `__mytag`; the last of an id wins (TM-850).
    public mutating func register(_ function: any TagFunction, for id: String) { tagFunctions[id] = function }
  }
}
