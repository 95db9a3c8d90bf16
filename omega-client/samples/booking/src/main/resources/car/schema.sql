create table if not exists fleet (id integer primary key, free integer not null);
create table if not exists booking (
    trip text primary key, name text not null, cars integer not null, state text not null
);
