-- main.db, version 1: what is known and judged of robots, boots and runs (docs/formats/store.md).
-- Times: *_wall_ns is the server's own UTC clock, *_boot_ns is CLOCK_BOOTTIME of one boot.
-- 64-bit hashes and epochs are stored as the signed integer of the same bits.

CREATE TABLE robots (
  robot                     TEXT PRIMARY KEY,
  is_expected               INTEGER NOT NULL DEFAULT 0,
  is_retired                INTEGER NOT NULL DEFAULT 0,
  added_wall_ns             INTEGER NOT NULL,
  last_contact_wall_ns      INTEGER,
  agent                     TEXT NOT NULL DEFAULT '',
  current_boot              INTEGER,              -- boots.boot_ref of the newest Hello
  quarantined_until_wall_ns INTEGER,
  silent_since_wall_ns      INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE robot_labels (
  robot TEXT NOT NULL,
  name  TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (robot, name)
) STRICT, WITHOUT ROWID;

-- What the server itself noticed of a robot: silent, quarantined, admitted.
CREATE TABLE robot_events (
  robot_event_ref INTEGER PRIMARY KEY,
  robot           TEXT NOT NULL,
  at_wall_ns      INTEGER NOT NULL,
  severity        INTEGER NOT NULL,
  kind            TEXT NOT NULL,
  detail          TEXT NOT NULL
) STRICT;
CREATE INDEX robot_events_by_robot ON robot_events (robot, at_wall_ns);

CREATE TABLE boots (
  boot_ref              INTEGER PRIMARY KEY,
  robot                 TEXT NOT NULL,
  boot_id               BLOB NOT NULL,            -- 16 bytes
  boot_counter          INTEGER NOT NULL DEFAULT 0,
  agent                 TEXT NOT NULL DEFAULT '',
  first_receipt_wall_ns INTEGER NOT NULL,
  last_seen_boot_ns     INTEGER,                  -- newest time in its events and retired days
  UNIQUE (robot, boot_id)
) STRICT;

CREATE TABLE boot_reports (
  boot_ref            INTEGER NOT NULL,
  epoch               INTEGER NOT NULL,
  seq                 INTEGER NOT NULL,
  started_boot_ns     INTEGER NOT NULL,
  agent               TEXT NOT NULL,
  previous_was_clean  INTEGER NOT NULL,
  previous_end        TEXT NOT NULL,
  PRIMARY KEY (boot_ref, epoch, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE clock_pairs (
  boot_ref INTEGER NOT NULL,
  trust    INTEGER NOT NULL,
  boot_ns  INTEGER NOT NULL,
  wall_ns  INTEGER NOT NULL,
  PRIMARY KEY (boot_ref, trust, boot_ns, wall_ns)
) STRICT, WITHOUT ROWID;

CREATE TABLE runs (
  run_ref          INTEGER PRIMARY KEY,
  boot_ref         INTEGER NOT NULL,
  number           INTEGER NOT NULL,
  name             TEXT NOT NULL,
  opened_boot_ns   INTEGER,                       -- NULL: its opening was lost
  closed_boot_ns   INTEGER,                       -- NULL: not closed by the robot
  close_reason     TEXT NOT NULL DEFAULT '',
  dictionary       INTEGER NOT NULL DEFAULT 0,
  receipt_wall_ns  INTEGER NOT NULL,
  UNIQUE (boot_ref, number)
) STRICT;
CREATE INDEX runs_by_receipt ON runs (receipt_wall_ns);

CREATE TABLE run_labels (
  run_ref INTEGER NOT NULL,
  name    TEXT NOT NULL,
  value   TEXT NOT NULL,
  PRIMARY KEY (run_ref, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE dictionaries (
  hash    INTEGER PRIMARY KEY,
  payload BLOB NOT NULL
) STRICT;

CREATE TABLE events (
  event_ref  INTEGER PRIMARY KEY,
  boot_ref   INTEGER NOT NULL,
  epoch      INTEGER NOT NULL,
  seq        INTEGER NOT NULL,
  at_boot_ns INTEGER NOT NULL,
  severity   INTEGER NOT NULL,
  kind       TEXT NOT NULL,
  detail     TEXT NOT NULL,
  UNIQUE (boot_ref, epoch, seq)
) STRICT;
CREATE INDEX events_by_time ON events (boot_ref, at_boot_ns);

-- Seqs that will never arrive. They count as committed.
CREATE TABLE gaps (
  boot_ref  INTEGER NOT NULL,
  epoch     INTEGER NOT NULL,
  tier      INTEGER NOT NULL,
  first_seq INTEGER NOT NULL,
  seq_count INTEGER NOT NULL,
  reason    TEXT NOT NULL,
  PRIMARY KEY (boot_ref, epoch, tier, first_seq)
) STRICT, WITHOUT ROWID;

-- Committed seqs: of the event tier, and of the other tiers those whose day file was retired.
CREATE TABLE marks (
  boot_ref  INTEGER NOT NULL,
  epoch     INTEGER NOT NULL,
  tier      INTEGER NOT NULL,
  first_seq INTEGER NOT NULL,
  seq_count INTEGER NOT NULL,
  PRIMARY KEY (boot_ref, epoch, tier, first_seq)
) STRICT, WITHOUT ROWID;

-- Event-tier records of kinds that a newer robot sends, kept for the version that knows them.
CREATE TABLE other_records (
  other_ref INTEGER PRIMARY KEY,
  boot_ref  INTEGER NOT NULL,
  epoch     INTEGER NOT NULL,
  seq       INTEGER NOT NULL,
  kind      INTEGER NOT NULL,
  payload   BLOB NOT NULL,
  UNIQUE (boot_ref, epoch, seq)
) STRICT;

CREATE TABLE rollups (
  run_ref INTEGER PRIMARY KEY,
  payload BLOB NOT NULL                           -- docs/formats/store.md, "rollup"
) STRICT;

CREATE TABLE budgets (
  budgets_ref    INTEGER PRIMARY KEY,
  loaded_wall_ns INTEGER NOT NULL,
  text           TEXT NOT NULL
) STRICT;

CREATE TABLE verdicts (
  run_ref     INTEGER PRIMARY KEY,
  fingerprint TEXT NOT NULL,                      -- of the budgets and the data it was reached with
  verdict     TEXT NOT NULL,
  coverage    REAL NOT NULL
) STRICT;
