"""The database's tables. A change of them is a new version, with a step in MIGRATIONS that leads to it."""

APPLICATION_ID = 0x41524E41  # "ARNA" in the file's header tells our databases from others
VERSION = 3

_MATCHES = """
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
    used REAL NOT NULL,                -- when a process last drove it
    sandbox TEXT NOT NULL DEFAULT 'auto' -- the level that was asked for, for submitted bots
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
"""

_SUBMISSIONS = """
CREATE TABLE bundles (
    version TEXT PRIMARY KEY,          -- bundle.Bundle.version
    data BLOB NOT NULL                 -- bundle.Bundle.encode
);
CREATE TABLE bots (
    row INTEGER PRIMARY KEY,           -- of two versions of a name, the higher is the newer
    name TEXT NOT NULL,
    folded TEXT NOT NULL,
    version TEXT NOT NULL REFERENCES bundles(version),
    manifest TEXT NOT NULL,            -- bundle.Manifest as JSON, so that a list need not open the bundles
    num_files INTEGER NOT NULL,
    num_bytes INTEGER NOT NULL,
    by_clock INTEGER NOT NULL,         -- whether its moves may depend on time, by its author's word
    submitted REAL NOT NULL,
    retired REAL,                      -- NULL while it can be named in new runs
    UNIQUE (folded, version)
);
CREATE TABLE accounts (
    match BLOB NOT NULL,               -- matches.id
    seat INTEGER NOT NULL,
    condition INTEGER NOT NULL REFERENCES conditions(id),
    entrant INTEGER NOT NULL REFERENCES entrants(id),
    level TEXT NOT NULL,               -- of the sandbox; the rest as in record.Account
    start_ms REAL NOT NULL,
    wall_us BLOB NOT NULL,
    cpu_us BLOB NOT NULL,
    cpu_ms REAL NOT NULL,
    peak_mb REAL NOT NULL,
    notes TEXT,                        -- JSON, NULL for none
    PRIMARY KEY (match, seat)
) WITHOUT ROWID;
CREATE INDEX accounts_by_entrant ON accounts (entrant);
CREATE INDEX accounts_by_condition ON accounts (condition, entrant, level);
CREATE TABLE logs (
    row INTEGER PRIMARY KEY,
    match BLOB NOT NULL,               -- matches.id
    seat INTEGER NOT NULL,
    entrant INTEGER NOT NULL REFERENCES entrants(id),
    has_fault INTEGER NOT NULL,
    data BLOB NOT NULL,                -- record.Account.log, zlib
    UNIQUE (match, seat)
);
CREATE INDEX logs_by_entrant ON logs (entrant, has_fault, row);
"""

_OPTIONS = """
CREATE TABLE options (
    version TEXT NOT NULL,             -- of a bundle
    given TEXT NOT NULL,               -- JSON: options as they were written, texts by name, sorted
    filled_in TEXT NOT NULL,           -- options.FilledIn as JSON: what the bot's file made of them when it was asked
    PRIMARY KEY (version, given)
) WITHOUT ROWID;
"""

TABLES = _MATCHES + _SUBMISSIONS + _OPTIONS

MIGRATIONS: dict[int, str] = {
    1: f"ALTER TABLE runs ADD COLUMN sandbox TEXT NOT NULL DEFAULT 'auto'; {_SUBMISSIONS}",
    2: _OPTIONS,
}
"""SQL that leads from a version to the next."""
