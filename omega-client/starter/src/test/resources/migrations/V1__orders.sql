create table stock (name text);
