/// What this library calls itself, to servers and in macros.
package enum ProductInfo {
  package static let name = "Tagworks"
  package static let version = "1.0.0"
}
