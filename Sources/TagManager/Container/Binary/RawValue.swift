import Hits

/// A value as a binary file has it; what it consists of are indexes of other raw values, in any order.
enum RawValue {
  case constant(Value)
  case list([Int32])
  case map(keys: [Int32], values: [Int32])
  case template([Int32])
  /// A macro, by the index of the value that is its name.
  case macroNamedBy(Int32)
  case macroName(String)
  case macroIndex(Int32)
  case tagIndex(Int32)
  case tagName(String)

  /// The number of a value's type on the wire.
  enum WireType: Int64 {
    case string = 1
    case list, map, macroReference, functionID, integer, template, boolean, tagReference
  }

  /// How many values this one consists of.
  var childCount: Int {
    switch self {
    case .list(let items), .template(let items): items.count
    case .map(let keys, let values): keys.count + values.count
    default: 0
    }
  }

  /// One of the values this one consists of.
  func child(_ position: Int) -> Int32 {
    switch self {
    case .list(let items), .template(let items): items[position]
    case .map(let keys, let values): position < keys.count ? keys[position] : values[position - keys.count]
    default: -1
    }
  }
}
