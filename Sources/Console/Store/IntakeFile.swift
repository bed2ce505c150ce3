import DurableStore

/// The file of the collector's database.
enum IntakeFile {
  /// Makes the file where there is none; an empty one is refused, for hits may have been in it.
  static func prepare(_ path: String) throws(StoreError) {
    try DatabaseFile.prepare(path) { path throws(StoreError) in _ = try IntakeTables(path: path) }
  }
}
