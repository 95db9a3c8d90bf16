create table if not exists trip (
    id text primary key, saga text not null, name text not null, cars integer not null, rooms integer not null, state text not null
);
