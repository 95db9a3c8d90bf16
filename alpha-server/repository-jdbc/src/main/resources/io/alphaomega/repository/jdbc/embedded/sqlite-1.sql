-- A saga's fence and summary: one row, replaced by each append. Times are milliseconds since 1970.
CREATE TABLE sagas (
    id           TEXT    NOT NULL PRIMARY KEY,
    sequence     INTEGER NOT NULL,
    token        TEXT    NOT NULL,
    state        TEXT    NOT NULL,
    service      TEXT    NOT NULL,
    operation    TEXT    NOT NULL,
    business_key TEXT    NOT NULL,
    services     TEXT    NOT NULL,
    branches     INTEGER NOT NULL,
    reason       TEXT    NOT NULL,
    manual       INTEGER NOT NULL,
    begun_at     INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL,
    ended_at     INTEGER,
    wake_up_at   INTEGER
) STRICT, WITHOUT ROWID;

-- Each index ends with the key of its table, the id.
CREATE INDEX sagas_due ON sagas (wake_up_at) WHERE wake_up_at IS NOT NULL;
CREATE INDEX sagas_begun ON sagas (begun_at);
CREATE INDEX sagas_state ON sagas (state, begun_at);
CREATE INDEX sagas_ended ON sagas (ended_at) WHERE ended_at IS NOT NULL;

-- Which services take part, to find their sagas, newest first.
CREATE TABLE saga_services (
    service  TEXT    NOT NULL,
    begun_at INTEGER NOT NULL,
    saga     TEXT    NOT NULL,
    PRIMARY KEY (service, begun_at, saga)
) STRICT, WITHOUT ROWID;

-- With a rowid, so that a batch's events share pages; clustered by saga each append would rewrite a page of its own.
CREATE TABLE events (
    saga     TEXT    NOT NULL,
    sequence INTEGER NOT NULL,
    type     TEXT    NOT NULL,
    bytes    BLOB    NOT NULL,
    crc32c   INTEGER NOT NULL,
    PRIMARY KEY (saga, sequence)
) STRICT;

-- One row that a health check writes after a failure: as large as a payload, so that it does not fit where that would not.
CREATE TABLE probe (
    id      INTEGER NOT NULL PRIMARY KEY,
    filling BLOB    NOT NULL
) STRICT;
INSERT INTO probe (id, filling) VALUES (1, X'');
