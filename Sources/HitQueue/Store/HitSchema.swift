import DurableStore

/// The tables of a hit store (HQ-303 to HQ-306).
///
/// A hit's row holds all that is needed to send it: the fields in their wire form (`body`), the lane it belongs to, and
/// the moment it was made. `lane.inflight` names the request under way and its hits (HQ-422). Every removal of a row
/// changes a `counter` in the same transaction (HQ-332).
///
/// From version 2 on no index names the ready hits: a second page in every commit is what it cost. The order of the rows
/// is that of their sequences, and `lane.first` says where to begin (see `DeliveryTable`).
enum HitSchema {
  static let schema = Schema(
    applicationID: 0x5457_4851,
    migrations: [
      Schema.Migration(
        version: 1,
        sql: """
          CREATE TABLE meta(key TEXT PRIMARY KEY NOT NULL, value) WITHOUT ROWID;
          CREATE TABLE zone(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
          CREATE TABLE boot(id INTEGER PRIMARY KEY, uuid BLOB NOT NULL UNIQUE);
          CREATE TABLE lane(id INTEGER PRIMARY KEY, tracker TEXT NOT NULL, property TEXT NOT NULL, protocol TEXT NOT NULL,
            endpoint TEXT NOT NULL, failures INTEGER NOT NULL DEFAULT 0, wait_until INTEGER, wait_cause TEXT, batch_limit INTEGER,
            inflight BLOB, UNIQUE(tracker, property, protocol, endpoint));
          CREATE TABLE hit(seq INTEGER PRIMARY KEY AUTOINCREMENT, lane INTEGER NOT NULL REFERENCES lane(id), id BLOB NOT NULL,
            state INTEGER NOT NULL,
            priority INTEGER NOT NULL, kind INTEGER NOT NULL, purposes INTEGER NOT NULL, consent INTEGER NOT NULL,
            created INTEGER NOT NULL, age_clock INTEGER NOT NULL, boot INTEGER NOT NULL, zone INTEGER NOT NULL, flags INTEGER NOT NULL,
            not_before INTEGER, max_age INTEGER, attempts INTEGER NOT NULL DEFAULT 0, reason TEXT, bytes INTEGER NOT NULL, crc INTEGER NOT NULL,
            body BLOB NOT NULL);
          CREATE INDEX hit_ready ON hit(lane, seq) WHERE state = 0;
          CREATE TABLE counter(name TEXT NOT NULL, lane INTEGER NOT NULL, value INTEGER NOT NULL, PRIMARY KEY(name, lane)) WITHOUT ROWID;
          """),
      Schema.Migration(
        version: 2,
        sql: """
          DROP INDEX hit_ready;
          CREATE INDEX hit_aside ON hit(state, seq) WHERE state <> 0;
          ALTER TABLE lane ADD COLUMN first INTEGER NOT NULL DEFAULT 0;
          """),
    ])
}

/// What a stored hit waits for.
enum HitState: Int64, Sendable {
  /// To be sent.
  case ready = 0
  /// Consent.
  case held = 1
  /// A person: the server refused it.
  case quarantined = 2
}
