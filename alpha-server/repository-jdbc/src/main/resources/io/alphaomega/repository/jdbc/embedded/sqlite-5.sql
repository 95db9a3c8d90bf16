-- What a service says of a saga, each name=value between line feeds; and when an operator's last order took effect. Most sagas have neither.
ALTER TABLE sagas ADD COLUMN attributes TEXT;
ALTER TABLE sagas ADD COLUMN ordered_at INTEGER;

-- What sagas are found by if they have it: by an attribute's mark, with the saga's begin; by mark 0, with its last order.
CREATE TABLE saga_marks (
    mark   INTEGER NOT NULL,
    millis INTEGER NOT NULL,
    saga   INTEGER NOT NULL,
    PRIMARY KEY (mark, millis, saga)
) STRICT, WITHOUT ROWID;

DROP VIEW summaries;
CREATE VIEW summaries AS
    SELECT s.number, s.id, a.sequence, PRINTF('%016x', a.token) AS token, s.state, s.service, s.operation, s.business_key,
        a.services, a.branches, s.reason, s.manual, s.begun_at, a.updated_at, s.ended_at, a.wake_up_at, s.attributes,
        s.ordered_at, s.due_at, s.buried_at
    FROM sagas s CROSS JOIN appends a
    WHERE a.number = (SELECT last.number FROM appends last WHERE last.saga = s.number ORDER BY last.sequence DESC LIMIT 1);
