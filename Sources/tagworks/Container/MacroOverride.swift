import Hits
import TagManager

/// A `--set NAME=TEXT`: the macro of that name gives the text, whatever its definition.
struct MacroOverride {
  let name: String
  let text: String

  init(_ argument: String) throws(UsageError) {
    guard let equals = argument.firstIndex(of: "=") else {
      throw UsageError("--set takes NAME=TEXT, not '\(argument)'")
    }
    name = String(argument[..<equals])
    text = String(argument[argument.index(after: equals)...])
  }

  /// Makes every macro of the name a constant of the text.
  func apply(to container: inout CompiledContainer) throws(CommandFailure) {
    let places = container.macros.indices.filter { container.macros[$0].name == name }
    guard !places.isEmpty else { throw CommandFailure("--set: the container has no macro '\(name)'") }
    container.pool.nodes.append(.constant(.string(text)))
    let value = ValueIndex(container.pool.nodes.count - 1)
    for place in places {
      let original = container.macros[place]
      var constant = Call(.constant)
      constant.name = original.name
      constant.structuralKeys = original.structuralKeys
      constant.parameters = Parameters([("value", value)])
      container.macros[place] = constant
    }
  }
}
