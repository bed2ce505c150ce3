import CSQLite
import Foundation

/// Why a store could not do what it was asked.
///
/// The text names files and codes, never stored data.
package struct StoreError: Error, Sendable {
  /// What went wrong: an open set.
  package struct Code: RawRepresentable, Sendable, Hashable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// Another connection holds the lock, longer than the busy timeout.
    package static let busy = Code(rawValue: "busy")
    /// No room: on the disk, or below the store's own page bound.
    package static let full = Code(rawValue: "full")
    /// The system failed to read or write.
    package static let ioError = Code(rawValue: "ioError")
    /// The file may not be written.
    package static let readOnly = Code(rawValue: "readOnly")
    /// The file may not be opened, or cannot be made.
    package static let cannotOpen = Code(rawValue: "cannotOpen")
    /// The file is damaged, or no database.
    package static let damaged = Code(rawValue: "damaged")
    /// The file is a sound database of another program.
    package static let foreign = Code(rawValue: "foreign")
    /// The file was written by a newer version of this program.
    package static let newer = Code(rawValue: "newer")
    /// The place is a symbolic link, or belongs to somebody else.
    package static let insecure = Code(rawValue: "insecure")
    /// The SQLite library is older than 3.24.0.
    package static let sqliteTooOld = Code(rawValue: "sqliteTooOld")
    /// The file was removed, or another has taken its name.
    package static let replaced = Code(rawValue: "replaced")
    /// A row breaks a rule of the schema.
    package static let constraint = Code(rawValue: "constraint")
    /// The store was closed.
    package static let closed = Code(rawValue: "closed")
    /// Anything else: an error in the program's own statements.
    package static let statement = Code(rawValue: "statement")
  }

  /// What went wrong.
  package var code: Code
  /// A sentence for a log.
  package var message: String
  /// SQLite's extended result code, or the system's `errno`; 0 when there is none.
  package var systemCode: Int32

  package init(code: Code, message: String, systemCode: Int32 = 0) {
    self.code = code
    self.message = message
    self.systemCode = systemCode
  }
}

extension StoreError {
  /// Whether the system does not let this process read the file, as on a device that is locked: no damage, only a matter of
  /// time (HQ-354).
  package var isLockout: Bool { code == .cannotOpen && (systemCode == EACCES || systemCode == EPERM) }

  /// Reads what a connection says about its last call; the text begins with the file's path.
  ///
  /// What was being done is told only where the fault is in the program's own statement: to anyone else it is the file
  /// that matters.
  init(_ handle: OpaquePointer?, path: String? = nil, doing action: String) {
    let extended = sqlite3_extended_errcode(handle)
    let code = Code(sqlite: extended)
    let file = path ?? sqlite3_db_filename(handle, "main").map { String(cString: $0) } ?? "the store"
    let what = code == .statement ? ", doing \(action)" : ""
    // What the system said tells a file that may not be read from one that cannot.
    let number = code == .cannotOpen ? sqlite3_system_errno(handle) : 0
    self.init(
      code: code, message: "\(file): \(String(cString: sqlite3_errmsg(handle))) (\(extended))\(what)",
      systemCode: number == 0 ? extended : number)
  }

  /// An error of a system call, by its `errno`.
  package init(errno number: Int32, code: Code, doing action: String) {
    self.init(code: code, message: "cannot \(action): \(String(cString: strerror(number)))", systemCode: number)
  }
}

extension StoreError.Code {
  init(sqlite extended: Int32) {
    switch extended & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
    case SQLITE_FULL: self = .full
    case SQLITE_IOERR, SQLITE_NOMEM, SQLITE_PROTOCOL: self = .ioError
    case SQLITE_READONLY: self = .readOnly
    case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: self = .cannotOpen
    case SQLITE_CORRUPT, SQLITE_NOTADB: self = .damaged
    case SQLITE_CONSTRAINT: self = .constraint
    default: self = .statement
    }
  }
}
