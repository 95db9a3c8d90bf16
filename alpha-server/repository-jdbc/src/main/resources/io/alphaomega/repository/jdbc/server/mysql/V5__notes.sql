-- What nodes note about the store itself. A copy of the store has them as they were when it was made.
-- If this is interrupted, it is run again.
CREATE TABLE IF NOT EXISTS notes (
    name VARCHAR(64)   CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    text VARCHAR(1000) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    PRIMARY KEY (name)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE ${byBytes};
