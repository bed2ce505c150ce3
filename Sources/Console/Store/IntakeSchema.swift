import DurableStore

/// The collector's database (HQ-721).
enum IntakeSchema {
  static let fileName = "intake.sqlite3"
  static let schema = Schema(
    applicationID: 0x5457_4943,  // TWIC
    migrations: [
      Schema.Migration(
        version: 1,
        sql: """
          CREATE TABLE hit(pos INTEGER PRIMARY KEY AUTOINCREMENT, id BLOB NOT NULL UNIQUE, property TEXT NOT NULL,
            kind TEXT NOT NULL, client TEXT, user TEXT, occurred INTEGER NOT NULL, client_time INTEGER,
            received INTEGER NOT NULL, seq INTEGER, tracker TEXT, source TEXT NOT NULL, ip TEXT, ua TEXT, lib TEXT,
            consent TEXT, body BLOB NOT NULL);
          CREATE INDEX hit_property_received ON hit(property, received);
          CREATE TABLE seen(id BLOB PRIMARY KEY NOT NULL, day INTEGER NOT NULL) WITHOUT ROWID;
          CREATE TABLE reject(pos INTEGER PRIMARY KEY AUTOINCREMENT, received INTEGER NOT NULL, property TEXT,
            code TEXT NOT NULL, field TEXT, raw BLOB NOT NULL);
          """),
      Schema.Migration(
        version: 2,
        sql: """
          CREATE TABLE usage(property TEXT PRIMARY KEY NOT NULL, hits INTEGER NOT NULL, bytes INTEGER NOT NULL)
            WITHOUT ROWID;
          INSERT INTO usage \(countedUsage);
          """),
    ])

  /// What a hit counts for: what it says, and its columns (CO-702).
  static let bytesOfHit = "length(body) + 256"
  /// The table `usage`, counted anew.
  static let countedUsage = "SELECT property, COUNT(*), SUM(\(bytesOfHit)) FROM hit GROUP BY property"

  /// The columns of a hit, in the order in which they are bound and read.
  static let columns =
    "id, property, kind, client, user, occurred, client_time, received, seq, tracker, source, ip, ua, lib, consent, body"
}
