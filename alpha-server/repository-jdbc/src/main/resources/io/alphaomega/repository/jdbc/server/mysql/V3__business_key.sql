-- To find the sagas of a business key, newest first.
-- If this is interrupted, it is run again; MySQL has no ADD KEY IF NOT EXISTS.
SET @alter = IF(
    (SELECT COUNT(*) FROM information_schema.statistics
        WHERE table_schema = DATABASE() AND table_name = 'sagas' AND index_name = 'sagas_business_key') = 0,
    'ALTER TABLE sagas ADD KEY sagas_business_key (business_key, begun_at)',
    'DO 0');
PREPARE alter_sagas FROM @alter;
EXECUTE alter_sagas;
DEALLOCATE PREPARE alter_sagas;
