-- For PostgreSQL. Times are milliseconds since 1970. Texts are compared byte by byte, whatever the database's locale.

-- A saga's fence and summary: one row, replaced by each append. Of a purged saga a tombstone stays for a while.
CREATE TABLE sagas (
    id           TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    sequence     BIGINT           NOT NULL,
    token        TEXT COLLATE "C" NOT NULL,
    state        TEXT COLLATE "C" NOT NULL,
    service      TEXT COLLATE "C" NOT NULL,
    operation    TEXT COLLATE "C" NOT NULL,
    business_key TEXT COLLATE "C" NOT NULL,
    services     TEXT COLLATE "C" NOT NULL,
    branches     INTEGER          NOT NULL,
    reason       TEXT COLLATE "C" NOT NULL,
    manual       BOOLEAN          NOT NULL,
    begun_at     BIGINT           NOT NULL,
    updated_at   BIGINT           NOT NULL,
    ended_at     BIGINT,
    wake_up_at   BIGINT,
    buried_at    BIGINT
-- Each row is updated a few times in its first minutes: with room beside it, and swept early.
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

CREATE INDEX sagas_due ON sagas (wake_up_at, id) WHERE wake_up_at IS NOT NULL;
CREATE INDEX sagas_begun ON sagas (begun_at, id);
CREATE INDEX sagas_state ON sagas (state, begun_at, id);
CREATE INDEX sagas_ended ON sagas (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX sagas_buried ON sagas (buried_at) WHERE buried_at IS NOT NULL;

-- Which services take part, to find their sagas, newest first.
CREATE TABLE saga_services (
    service  TEXT COLLATE "C" NOT NULL,
    begun_at BIGINT           NOT NULL,
    saga     TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (service, begun_at, saga)
);

CREATE TABLE events (
    saga     TEXT COLLATE "C" NOT NULL,
    sequence BIGINT           NOT NULL,
    type     TEXT COLLATE "C" NOT NULL,
    bytes    BYTEA            NOT NULL,
    crc32c   INTEGER          NOT NULL,
    PRIMARY KEY (saga, sequence)
);

-- One row that a health check writes after a failure: as large as a payload, so that it does not fit where that would not.
CREATE TABLE probe (
    id      INTEGER NOT NULL PRIMARY KEY,
    filling BYTEA   NOT NULL
);
INSERT INTO probe (id, filling) VALUES (1, '');
