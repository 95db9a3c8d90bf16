-- What nodes note about the store itself. A copy of the store has them as they were when it was made.
CREATE TABLE notes (
    name TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    text TEXT COLLATE "C" NOT NULL
);
