create table if not exists till (id int primary key, cents bigint not null);
create table if not exists payment (
    order_id varchar(40) primary key, customer varchar(100) not null, card varchar(10) not null, cents bigint not null, state varchar(10) not null
);
insert ignore into till (id, cents) values (1, 0);
