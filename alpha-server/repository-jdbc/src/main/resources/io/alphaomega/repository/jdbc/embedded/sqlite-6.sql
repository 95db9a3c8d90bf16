-- What nodes note about the store itself. A copy of the store has them as they were when it was made.
CREATE TABLE notes (
    name TEXT NOT NULL PRIMARY KEY,
    text TEXT NOT NULL
) STRICT, WITHOUT ROWID;
