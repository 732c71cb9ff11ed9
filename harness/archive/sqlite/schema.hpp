// The tables of the archive.
#pragma once

namespace assay::archive {

/// `PRAGMA application_id`: the letters `Asay`.
inline constexpr long kApplication = 0x41736179;
/// `PRAGMA user_version`. A change of a table's meaning needs a new one and a step in `Store`.
inline constexpr long kVersion = 1;

/// Read by any client, so names are whole words, flags are 0 and 1, times are ISO 8601 in UTC, and
/// what a record does not know is NULL.
inline constexpr const char* kSchema = R"sql(
CREATE TABLE record (
  id INTEGER PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,     -- SHA-256 of the text without white space between its words
  kind TEXT NOT NULL,            -- run or bench
  file TEXT NOT NULL,            -- where it was read
  started TEXT NOT NULL,
  synthetic INTEGER NOT NULL,    -- imaginary numbers
  complete INTEGER NOT NULL,     -- 0: interrupted
  quick INTEGER NOT NULL,
  machine TEXT NOT NULL,         -- the label of `add --machine`, or the record's description
  gpu TEXT NOT NULL,             -- the label of `add --gpu`, or the UUID of the GPU that programs
                                 -- use first, or the names of the GPUs
  host TEXT, cpu TEXT NOT NULL, cores INTEGER, kernel TEXT, virtualization TEXT,
  governor TEXT, smt INTEGER, aslr INTEGER, load_start REAL, load_end REAL, driver TEXT,
  processes INTEGER, min_time_ns REAL, samples INTEGER, device_clock TEXT,
  null_call_ns REAL,             -- a call through a function pointer on this machine
  tool TEXT NOT NULL, revision TEXT NOT NULL,  -- version and commit of assay
  exit_code INTEGER NOT NULL, line TEXT NOT NULL,
  text BLOB NOT NULL             -- the record, compressed with gzip
);
CREATE INDEX record_started ON record (started);
CREATE INDEX record_gpu ON record (gpu, started);

CREATE TABLE device (            -- the GPUs of a record
  record INTEGER NOT NULL REFERENCES record ON DELETE CASCADE,
  position INTEGER NOT NULL,
  name TEXT NOT NULL,
  uuid TEXT,
  used INTEGER,                  -- programs use it first, by CUDA_VISIBLE_DEVICES
  most_sm_clock_mhz INTEGER, most_memory_clock_mhz INTEGER,
  application_sm_clock_mhz INTEGER,  -- the limit that the user has set
  power_limit_w REAL, ecc INTEGER, mig INTEGER, persistence INTEGER,
  PRIMARY KEY (record, position)
) WITHOUT ROWID;
CREATE INDEX device_uuid ON device (uuid) WHERE uuid IS NOT NULL;

CREATE TABLE subject (
  id INTEGER PRIMARY KEY,
  record INTEGER NOT NULL REFERENCES record ON DELETE CASCADE,
  subject TEXT NOT NULL,         -- the name by which its records are joined
  typed TEXT NOT NULL,           -- as typed
  name TEXT NOT NULL, version TEXT NOT NULL,  -- of its hello
  contract TEXT NOT NULL,        -- several of a run are joined by spaces
  via TEXT, copy_of TEXT,
  commit_id TEXT NOT NULL,       -- the label of `add --commit`, or the commit of the build
  dirty INTEGER NOT NULL,        -- built from a checkout with changes
  build_type TEXT NOT NULL, compiler TEXT NOT NULL, flags TEXT NOT NULL, program TEXT,
  verdict TEXT, exit_code INTEGER, line TEXT  -- of a run
);
CREATE INDEX subject_record ON subject (record);
CREATE INDEX subject_judged ON subject (subject, contract) WHERE verdict IS NOT NULL;
CREATE INDEX subject_commit ON subject (commit_id);

CREATE TABLE outcome (           -- how many cases of a run had which outcome
  subject INTEGER NOT NULL REFERENCES subject ON DELETE CASCADE,
  outcome TEXT NOT NULL,
  cases INTEGER NOT NULL,
  PRIMARY KEY (subject, outcome)
) WITHOUT ROWID;

CREATE TABLE red (               -- the cases that fail the run
  id INTEGER PRIMARY KEY,
  subject INTEGER NOT NULL REFERENCES subject ON DELETE CASCADE,
  test TEXT NOT NULL, contract TEXT NOT NULL, outcome TEXT NOT NULL, sentence TEXT NOT NULL
);
CREATE INDEX red_subject ON red (subject);
CREATE INDEX red_test ON red (test);

CREATE TABLE cause (             -- the planted faults that explain failures
  id INTEGER PRIMARY KEY,
  subject INTEGER NOT NULL REFERENCES subject ON DELETE CASCADE,
  sentence TEXT NOT NULL, clause TEXT NOT NULL, fault TEXT NOT NULL, perhaps INTEGER NOT NULL
);
CREATE INDEX cause_subject ON cause (subject);

CREATE TABLE series (            -- what is measured, over all records
  id INTEGER PRIMARY KEY,
  subject TEXT NOT NULL, contract TEXT NOT NULL,
  name TEXT NOT NULL,            -- case and axes: dispatch/typed/tensors=1
  quantity TEXT NOT NULL, unit TEXT NOT NULL,
  better TEXT NOT NULL,          -- lower or higher
  exact INTEGER NOT NULL,        -- a count
  UNIQUE (subject, contract, name, quantity, unit, better, exact)
);

CREATE TABLE measurement (
  id INTEGER PRIMARY KEY,
  series INTEGER NOT NULL REFERENCES series,
  subject INTEGER NOT NULL REFERENCES subject ON DELETE CASCADE,
  status TEXT NOT NULL,          -- measured, unsupported, failed, simulated, not_run
  reason TEXT,
  center REAL, low REAL, high REAL,
  medians TEXT NOT NULL,         -- of its processes, a JSON array
  bytes INTEGER, null_calls REAL, sm_clock_mhz REAL, throttled_by TEXT
);
CREATE UNIQUE INDEX measurement_series ON measurement (series, subject);
CREATE INDEX measurement_subject ON measurement (subject);
)sql";

}  // namespace assay::archive
