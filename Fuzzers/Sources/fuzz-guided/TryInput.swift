import Decoders

private let targets = Target.all()

/// Gives one input to every decoder; a broken promise is a crash, as libFuzzer wants it.
func tryInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  for target in targets {
    if case .broken(let promise) = target.run(bytes) { fatalError("\(target.name): \(promise)") }
  }
  return 0
}
