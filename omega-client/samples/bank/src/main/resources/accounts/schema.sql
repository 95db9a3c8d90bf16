create table if not exists account (
    id varchar(32) primary key, opened_with bigint not null, balance bigint not null, closed boolean not null default false
);
create table if not exists effect (
    seq bigint auto_increment primary key, at timestamp(6) not null default current_timestamp(6),
    transfer varchar(64) not null, saga varchar(64) not null, branch varchar(64) not null,
    kind varchar(16) not null, operation varchar(16) not null, account varchar(32) not null, amount bigint not null
);
