/// The version of the package, as macros, hits and requests print it.
package enum ProductVersion {
  package static let text = "1.0.0"
}
