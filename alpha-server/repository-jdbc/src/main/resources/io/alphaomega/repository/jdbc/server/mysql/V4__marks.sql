-- What a service says of a saga, each name=value between line feeds; and when an operator's last order took effect. Most sagas have neither.
-- If this is interrupted, it is run again; MySQL has no ADD COLUMN IF NOT EXISTS.
SET @alter = IF(
    (SELECT COUNT(*) FROM information_schema.columns
        WHERE table_schema = DATABASE() AND table_name = 'sagas' AND column_name = 'ordered_at') = 0,
    'ALTER TABLE sagas ADD COLUMN attributes MEDIUMTEXT, ADD COLUMN ordered_at BIGINT',
    'DO 0');
PREPARE alter_sagas FROM @alter;
EXECUTE alter_sagas;
DEALLOCATE PREPARE alter_sagas;

-- What sagas are found by if they have it: by an attribute's mark, with the saga's begin; by mark 0, with its last order. An index of the table sagas would have an entry for each saga.
CREATE TABLE IF NOT EXISTS saga_marks (
    mark   BIGINT      NOT NULL,
    millis BIGINT      NOT NULL,
    saga   VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    PRIMARY KEY (mark, millis, saga)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE ${byBytes};
