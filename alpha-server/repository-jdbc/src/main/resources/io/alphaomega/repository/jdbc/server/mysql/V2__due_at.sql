-- The token that an append builds on: the statement that writes compares it with the stored one. And where a saga is in the due-time index: it may be a little early, so that not each change of its wake-up time moves it.
-- If this is interrupted, it is run again; MySQL has no ADD COLUMN IF NOT EXISTS.
SET @alter = IF(
    (SELECT COUNT(*) FROM information_schema.columns
        WHERE table_schema = DATABASE() AND table_name = 'sagas' AND column_name = 'due_at') = 0,
    'ALTER TABLE sagas
        ADD COLUMN previous VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '''',
        ADD COLUMN due_at BIGINT,
        DROP KEY sagas_due,
        ADD KEY sagas_due_at (due_at)',
    'DO 0');
PREPARE alter_sagas FROM @alter;
EXECUTE alter_sagas;
DEALLOCATE PREPARE alter_sagas;
UPDATE sagas SET due_at = wake_up_at WHERE due_at IS NULL AND wake_up_at IS NOT NULL;
