-- Where a saga is in the due-time index: it may be a little early, so that not each change of its wake-up time moves it, and most updates touch no index.
ALTER TABLE sagas ADD COLUMN due_at BIGINT;
UPDATE sagas SET due_at = wake_up_at WHERE wake_up_at IS NOT NULL;
CREATE INDEX sagas_due_at ON sagas (due_at, id) WHERE due_at IS NOT NULL;
DROP INDEX sagas_due;
