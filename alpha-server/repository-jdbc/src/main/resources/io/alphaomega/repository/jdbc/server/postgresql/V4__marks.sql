-- What a service says of a saga, each name=value between line feeds; and when an operator's last order took effect. Most sagas have neither.
ALTER TABLE sagas ADD COLUMN attributes TEXT COLLATE "C", ADD COLUMN ordered_at BIGINT;

-- What sagas are found by if they have it: by an attribute's mark, with the saga's begin; by mark 0, with its last order.
CREATE TABLE saga_marks (
    mark   BIGINT           NOT NULL,
    millis BIGINT           NOT NULL,
    saga   TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (mark, millis, saga)
);
