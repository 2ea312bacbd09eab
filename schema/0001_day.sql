-- day-YYYY-MM-DD.db, version 1: what arrived on one day, as it came (docs/formats/store.md).

CREATE TABLE streams (
  stream_ref INTEGER PRIMARY KEY,
  robot      TEXT NOT NULL,
  boot_id    BLOB NOT NULL,
  epoch      INTEGER NOT NULL,
  tier       INTEGER NOT NULL,
  UNIQUE (robot, boot_id, epoch, tier)
) STRICT;

-- One record of the wire a row, its payload untouched.
CREATE TABLE batches (
  batch_ref     INTEGER PRIMARY KEY,
  stream_ref    INTEGER NOT NULL,
  first_seq     INTEGER NOT NULL,
  seq_count     INTEGER NOT NULL,
  dictionary    INTEGER NOT NULL,
  first_boot_ns INTEGER NOT NULL,
  last_boot_ns  INTEGER NOT NULL,
  row_count     INTEGER NOT NULL,                 -- of its largest group
  payload       BLOB NOT NULL
) STRICT;
CREATE INDEX batches_by_time ON batches (stream_ref, last_boot_ns, first_boot_ns);
CREATE INDEX batches_by_seq ON batches (stream_ref, first_seq, seq_count, dictionary, row_count);

-- Many batches of one group in one row: what compaction makes of them.
CREATE TABLE chunks (
  chunk_ref     INTEGER PRIMARY KEY,
  stream_ref    INTEGER NOT NULL,
  group_id      INTEGER NOT NULL,
  first_seq     INTEGER NOT NULL,
  seq_count     INTEGER NOT NULL,
  dictionary    INTEGER NOT NULL,
  first_boot_ns INTEGER NOT NULL,
  last_boot_ns  INTEGER NOT NULL,
  row_count     INTEGER NOT NULL,
  payload       BLOB NOT NULL
) STRICT;
CREATE INDEX chunks_by_time ON chunks (stream_ref, last_boot_ns, first_boot_ns);

-- Which seqs of a stream this file has taken; compaction leaves them alone.
CREATE TABLE marks (
  stream_ref INTEGER NOT NULL,
  first_seq  INTEGER NOT NULL,
  seq_count  INTEGER NOT NULL,
  PRIMARY KEY (stream_ref, first_seq)
) STRICT, WITHOUT ROWID;
