import DurableStore

/// The console's database (CO-1000).
///
/// What was once published, versioned or logged is never changed: triggers hold the tables to that. A `digest` is the
/// SHA-256 of a secret; no secret is stored. Times are wall milliseconds.
enum WorkspaceSchema {
  static let fileName = "console.sqlite3"
  static let schema = Schema(
    applicationID: 0x5457_434F,  // TWCO
    migrations: [
      Schema.Migration(
        version: 1,
        sql: """
          CREATE TABLE setup(only INTEGER PRIMARY KEY CHECK(only = 1), digest BLOB, finished INTEGER);
          CREATE TABLE delivery(only INTEGER PRIMARY KEY CHECK(only = 1), stamp INTEGER NOT NULL);
          INSERT INTO delivery VALUES(1, 0);
          CREATE TABLE user(id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL UNIQUE COLLATE NOCASE, password TEXT,
            created INTEGER NOT NULL, disabled INTEGER);
          CREATE TABLE role(user TEXT NOT NULL REFERENCES user(id), container TEXT NOT NULL DEFAULT '',
            scope TEXT NOT NULL, PRIMARY KEY(user, container)) WITHOUT ROWID;
          CREATE TABLE container(id TEXT PRIMARY KEY NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL,
            approval INTEGER NOT NULL, created INTEGER NOT NULL, removed INTEGER);
          CREATE TABLE draft(container TEXT PRIMARY KEY NOT NULL REFERENCES container(id), revision INTEGER NOT NULL,
            base INTEGER, actor TEXT NOT NULL, actor_name TEXT NOT NULL, time INTEGER NOT NULL, text BLOB NOT NULL);
          CREATE TABLE version(container TEXT NOT NULL REFERENCES container(id), number INTEGER NOT NULL,
            name TEXT NOT NULL, notes TEXT NOT NULL, parent INTEGER, actor TEXT NOT NULL, actor_name TEXT NOT NULL,
            time INTEGER NOT NULL, approver TEXT, approver_name TEXT, text BLOB NOT NULL,
            PRIMARY KEY(container, number));
          CREATE TRIGGER version_kept BEFORE DELETE ON version BEGIN SELECT RAISE(ABORT, 'versions are kept'); END;
          CREATE TRIGGER version_fixed BEFORE UPDATE OF container, number, name, notes, parent, actor, time, text
            ON version BEGIN SELECT RAISE(ABORT, 'versions are immutable'); END;
          CREATE TABLE environment(container TEXT NOT NULL REFERENCES container(id), number INTEGER NOT NULL,
            name TEXT NOT NULL, digest BLOB UNIQUE, created INTEGER NOT NULL, removed INTEGER,
            PRIMARY KEY(container, number)) WITHOUT ROWID;
          CREATE UNIQUE INDEX environment_name ON environment(container, name) WHERE removed IS NULL;
          CREATE TABLE publication(container TEXT NOT NULL, environment TEXT NOT NULL, sequence INTEGER NOT NULL,
            environment_number INTEGER NOT NULL, version INTEGER NOT NULL, share INTEGER NOT NULL, previous INTEGER,
            actor TEXT NOT NULL, actor_name TEXT NOT NULL, time INTEGER NOT NULL,
            PRIMARY KEY(container, environment, sequence),
            FOREIGN KEY(container, version) REFERENCES version(container, number)) WITHOUT ROWID;
          CREATE TRIGGER publication_kept BEFORE DELETE ON publication
            BEGIN SELECT RAISE(ABORT, 'publications are kept'); END;
          CREATE TRIGGER publication_fixed BEFORE UPDATE ON publication
            BEGIN SELECT RAISE(ABORT, 'publications are kept'); END;
          CREATE TABLE token(id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL, digest BLOB NOT NULL UNIQUE,
            scope TEXT NOT NULL, container TEXT, created INTEGER NOT NULL, expires INTEGER, revoked INTEGER, user TEXT);
          CREATE INDEX token_container ON token(container);
          CREATE TABLE preview(id TEXT PRIMARY KEY NOT NULL, digest BLOB NOT NULL UNIQUE,
            container TEXT NOT NULL REFERENCES container(id), version INTEGER, actor TEXT NOT NULL,
            actor_name TEXT NOT NULL, time INTEGER NOT NULL, expires INTEGER NOT NULL, revoked INTEGER);
          CREATE INDEX preview_container ON preview(container, time);
          CREATE TABLE activity(pos INTEGER PRIMARY KEY AUTOINCREMENT, time INTEGER NOT NULL, actor TEXT NOT NULL,
            actor_name TEXT NOT NULL, action TEXT NOT NULL, container TEXT, subject TEXT NOT NULL, before TEXT,
            after TEXT);
          CREATE INDEX activity_container ON activity(container, pos);
          CREATE TRIGGER activity_kept BEFORE DELETE ON activity BEGIN SELECT RAISE(ABORT, 'the log is kept'); END;
          CREATE TRIGGER activity_fixed BEFORE UPDATE ON activity BEGIN SELECT RAISE(ABORT, 'the log is kept'); END;
          """),
      Schema.Migration(
        version: 2,
        sql: """
          CREATE TABLE session(digest BLOB PRIMARY KEY NOT NULL, user TEXT NOT NULL REFERENCES user(id),
            created INTEGER NOT NULL, used INTEGER NOT NULL) WITHOUT ROWID;
          CREATE INDEX session_user ON session(user);
          CREATE INDEX session_used ON session(used);
          CREATE TABLE author(container TEXT NOT NULL REFERENCES container(id), version INTEGER NOT NULL,
            person TEXT NOT NULL, PRIMARY KEY(container, version, person)) WITHOUT ROWID;
          INSERT INTO author SELECT container, number, actor FROM version;
          INSERT OR IGNORE INTO author SELECT container, 0, actor FROM draft WHERE base IS NULL OR time >
            (SELECT time FROM version WHERE version.container = draft.container AND number = base);
          """),
    ])
}
