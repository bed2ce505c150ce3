/// A version that only a share of the installs gets yet; the others keep the one before (TM-138).
public struct Rollout: Sendable, Hashable {
  /// The share of installs that get the new version, from 0 to 100, up to two decimals.
  public var percent: Double
  /// What the other installs get.
  public var previous: CompiledContainer

  /// Makes a rollout.
  public init(percent: Double, previous: CompiledContainer) {
    self.percent = percent
    self.previous = previous
  }

  /// The version for an install: always the same for the same container and install.
  ///
  /// - Parameters:
  ///   - container: the new version.
  ///   - id: the container's id.
  ///   - installID: the random text made once per install.
  public func choose(_ container: CompiledContainer, id: ContainerID, installID: String) -> CompiledContainer {
    let bucket = Bucket.number(salt: id.text, id: installID)
    return Double(bucket) < (percent * 100).rounded() ? container : previous
  }
}
