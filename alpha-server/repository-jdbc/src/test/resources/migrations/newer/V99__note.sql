ALTER TABLE sagas ADD COLUMN note VARCHAR(64) DEFAULT '' NOT NULL;
CREATE INDEX sagas_note ON sagas (note, begun_at);
