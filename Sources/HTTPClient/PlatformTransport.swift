#if canImport(Darwin)
  /// The transport of this platform.
  public typealias PlatformTransport = URLSessionTransport
#else
  /// The transport of this platform.
  public typealias PlatformTransport = CurlTransport
#endif
