CREATE TABLE conditions (
    id INTEGER PRIMARY KEY,
    key BLOB NOT NULL UNIQUE,          -- spec.Conditions.key
    game TEXT NOT NULL,
    players INTEGER NOT NULL,
    body TEXT NOT NULL                 -- spec.Conditions as JSON
);
CREATE TABLE entrants (
    id INTEGER PRIMARY KEY,
    key BLOB NOT NULL UNIQUE,          -- spec.Entrant.key
    label TEXT NOT NULL,
    body TEXT NOT NULL                 -- spec.Entrant as JSON
);
CREATE TABLE matches (
    row INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,           -- spec.MatchSpec.id, 16 bytes
    condition INTEGER NOT NULL REFERENCES conditions(id),
    deal_number INTEGER NOT NULL,
    lineup BLOB NOT NULL,              -- entrants.id by seat, int32
    scores BLOB NOT NULL,              -- by seat, int64
    ranks BLOB NOT NULL,               -- by seat, int8
    faults BLOB NOT NULL,              -- by seat, int8: 0 none, else 1 + the index in record.FAULT_CLASSES
    fault_details TEXT,                -- JSON list of record.Fault by seat, NULL without any
    actions BLOB NOT NULL,             -- record.Outcome.actions
    think_us BLOB NOT NULL,            -- record.Outcome.think_us
    think_ms BLOB NOT NULL,            -- record.Outcome.think_ms, float32
    worker TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    finished REAL NOT NULL             -- seconds since 1970
);
CREATE INDEX matches_by_condition ON matches (condition, deal_number);
CREATE TABLE runs (
    name TEXT PRIMARY KEY,
    folded TEXT NOT NULL UNIQUE,       -- names are unique ignoring case and Unicode form
    condition INTEGER NOT NULL REFERENCES conditions(id),
    entrants TEXT NOT NULL,            -- JSON list of entrants.id
    deals INTEGER NOT NULL,
    created REAL NOT NULL,
    used REAL NOT NULL                 -- when a process last drove it
);
CREATE TABLE failures (
    row INTEGER PRIMARY KEY,
    run TEXT NOT NULL,
    match BLOB NOT NULL,
    attempt INTEGER NOT NULL,
    worker TEXT NOT NULL,
    reason TEXT NOT NULL,
    at REAL NOT NULL
);
CREATE TABLE drivers (
    run TEXT PRIMARY KEY,
    host TEXT NOT NULL,
    pid INTEGER NOT NULL,
    started REAL NOT NULL              -- the process's start time: a pid alone may be somebody else's by now
);
