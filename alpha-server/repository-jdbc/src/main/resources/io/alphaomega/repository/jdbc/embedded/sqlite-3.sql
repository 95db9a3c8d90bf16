-- A saga has a number, by which the other tables know it. Its row holds what is searched by and rarely changes; of a purged saga it is the tombstone, with a version of its own.
CREATE TABLE sagas_3 (
    number       INTEGER PRIMARY KEY,
    id           TEXT    NOT NULL UNIQUE,
    state        TEXT    NOT NULL,
    service      TEXT    NOT NULL,
    operation    TEXT    NOT NULL,
    business_key TEXT    NOT NULL,
    reason       TEXT    NOT NULL,
    manual       INTEGER NOT NULL,
    begun_at     INTEGER NOT NULL,
    ended_at     INTEGER,
    due_at       INTEGER,
    buried_at    INTEGER,
    sequence     INTEGER,
    token        INTEGER
) STRICT;

-- An append is one row: the version it led to, what it changed of the summary, and its events, packed. Appends of one batch share pages.
CREATE TABLE appends (
    number     INTEGER PRIMARY KEY,
    saga       INTEGER NOT NULL,
    sequence   INTEGER NOT NULL,
    token      INTEGER NOT NULL,
    services   TEXT    NOT NULL,
    branches   INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    wake_up_at INTEGER,
    events     BLOB    NOT NULL
) STRICT;

INSERT INTO sagas_3
    SELECT ROW_NUMBER() OVER (ORDER BY begun_at, id), id, state, service, operation, business_key, reason, manual,
        begun_at, ended_at, wake_up_at, buried_at,
        CASE WHEN buried_at IS NOT NULL THEN sequence END, CASE WHEN buried_at IS NOT NULL THEN RANDOM() END
    FROM sagas;
INSERT INTO appends
    SELECT NULL, n.number, e.sequence, RANDOM(), s.services, s.branches, s.updated_at, s.wake_up_at,
        CAST(UNHEX(PRINTF('%04X%08X%08X', LENGTH(CAST(e.type AS BLOB)), e.crc32c & 0xFFFFFFFF, LENGTH(e.bytes))) || e.type || e.bytes AS BLOB)
    FROM events e JOIN sagas s ON s.id = e.saga JOIN sagas_3 n ON n.id = e.saga
    ORDER BY n.number, e.sequence;
-- A journal that is not as long as its saga's row said was damaged, and stays so: an append without events, which nobody else writes, says how long it should be.
INSERT INTO appends
    SELECT NULL, n.number, s.sequence, RANDOM(), s.services, s.branches, s.updated_at, s.wake_up_at, X''
    FROM sagas s JOIN sagas_3 n ON n.id = s.id
    WHERE s.buried_at IS NULL AND s.sequence <> (SELECT COUNT(*) FROM events e WHERE e.saga = s.id);
DROP TABLE events;
DROP TABLE sagas;
ALTER TABLE sagas_3 RENAME TO sagas;

-- To find a saga's last version without its row. There is one writer, which looks before it appends: no need for a unique index.
CREATE INDEX appends_saga ON appends (saga, sequence, token);

-- A saga may be due a little earlier than it wants to be looked at: not each change of that moves it.
CREATE INDEX sagas_due ON sagas (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX sagas_begun ON sagas (begun_at);
CREATE INDEX sagas_state ON sagas (state, begun_at);
CREATE INDEX sagas_ended ON sagas (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX sagas_buried ON sagas (buried_at) WHERE buried_at IS NOT NULL;

CREATE TABLE services_3 (
    service  TEXT    NOT NULL,
    begun_at INTEGER NOT NULL,
    saga     INTEGER NOT NULL,
    PRIMARY KEY (service, begun_at, saga)
) STRICT, WITHOUT ROWID;
INSERT INTO services_3 SELECT x.service, x.begun_at, s.number FROM saga_services x JOIN sagas s ON s.id = x.saga;
DROP TABLE saga_services;
ALTER TABLE services_3 RENAME TO saga_services;

-- Sagas as they are shown, with what their last append says.
CREATE VIEW summaries AS
    SELECT s.number, s.id, a.sequence, PRINTF('%016x', a.token) AS token, s.state, s.service, s.operation, s.business_key,
        a.services, a.branches, s.reason, s.manual, s.begun_at, a.updated_at, s.ended_at, a.wake_up_at, s.due_at, s.buried_at
    FROM sagas s CROSS JOIN appends a
    WHERE a.number = (SELECT last.number FROM appends last WHERE last.saga = s.number ORDER BY last.sequence DESC LIMIT 1);
