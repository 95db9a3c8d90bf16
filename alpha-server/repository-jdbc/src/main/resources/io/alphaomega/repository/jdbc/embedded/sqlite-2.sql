-- What is left of a purged saga: its row, with a state that no saga has, and when it had ended.
ALTER TABLE sagas ADD COLUMN buried_at INTEGER;
CREATE INDEX sagas_buried ON sagas (buried_at) WHERE buried_at IS NOT NULL;
