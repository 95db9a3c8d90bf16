-- For MySQL and MariaDB, where each statement commits by itself: if this is interrupted, it is run again. Times are milliseconds since 1970. Ids are ASCII; texts are compared byte by byte.

-- A saga's fence and summary: one row, replaced by each append. Of a purged saga a tombstone stays for a while.
CREATE TABLE IF NOT EXISTS sagas (
    id           VARCHAR(64)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    sequence     BIGINT       NOT NULL,
    token        VARCHAR(32)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    state        VARCHAR(32)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    service      VARCHAR(512) NOT NULL,
    operation    VARCHAR(512) NOT NULL,
    business_key VARCHAR(512) NOT NULL,
    services     MEDIUMTEXT   NOT NULL,
    branches     INT          NOT NULL,
    reason       TEXT         NOT NULL,
    manual       BOOLEAN      NOT NULL,
    begun_at     BIGINT       NOT NULL,
    updated_at   BIGINT       NOT NULL,
    ended_at     BIGINT,
    wake_up_at   BIGINT,
    buried_at    BIGINT,
    PRIMARY KEY (id),
    -- Each index ends with the primary key.
    KEY sagas_due (wake_up_at),
    KEY sagas_begun (begun_at),
    KEY sagas_state (state, begun_at),
    KEY sagas_ended (ended_at),
    KEY sagas_buried (buried_at)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE ${byBytes};

-- Which services take part, to find their sagas, newest first.
CREATE TABLE IF NOT EXISTS saga_services (
    service  VARCHAR(512) NOT NULL,
    begun_at BIGINT       NOT NULL,
    saga     VARCHAR(64)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    PRIMARY KEY (service, begun_at, saga)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE ${byBytes};

-- Clustered by saga: a load is one read, and as ids begin with their time, appends are at the right edge.
CREATE TABLE IF NOT EXISTS events (
    saga     VARCHAR(64)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    sequence BIGINT       NOT NULL,
    type     VARCHAR(255) NOT NULL,
    bytes    MEDIUMBLOB   NOT NULL,
    crc32c   INT          NOT NULL,
    PRIMARY KEY (saga, sequence)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE ${byBytes};

-- One row that a health check writes after a failure: as large as a payload, so that it does not fit where that would not.
CREATE TABLE IF NOT EXISTS probe (
    id      INT        NOT NULL PRIMARY KEY,
    filling MEDIUMBLOB NOT NULL
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE ${byBytes};
INSERT INTO probe (id, filling) VALUES (1, '') ON DUPLICATE KEY UPDATE id = id;
