-- main.db, version 2: how boots took their leave, who put a robot on the roster, and who changed what.

ALTER TABLE boots ADD COLUMN last_word TEXT;          -- why, of its newest Goodbye; NULL: never said
ALTER TABLE boots ADD COLUMN last_word_wall_ns INTEGER;

-- 'file': the configuration names it; 'command': a person added it. NULL: not on the roster.
ALTER TABLE robots ADD COLUMN roster_by TEXT;
-- Until now the file alone said this, and it is read again whenever the server starts.
UPDATE robots SET is_expected = 0, is_retired = 0;

-- Every change that a person made: never deleted.
CREATE TABLE audit (
  audit_ref  INTEGER PRIMARY KEY,
  at_wall_ns INTEGER NOT NULL,
  who        TEXT NOT NULL,                           -- the certificate's name; '' on a plain connection
  what       TEXT NOT NULL
) STRICT;
