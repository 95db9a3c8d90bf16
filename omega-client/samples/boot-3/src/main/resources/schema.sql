create table if not exists purchase (item varchar(40) primary key, state varchar(20) not null);
create table if not exists stock (item varchar(40) primary key, pieces integer not null);
insert or ignore into stock (item, pieces) values ('book', 5);
