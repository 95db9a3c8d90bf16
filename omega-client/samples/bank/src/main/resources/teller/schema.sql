create table if not exists transfer (
    id varchar(64) primary key, saga varchar(64) not null, from_account varchar(32) not null,
    to_account varchar(32) not null, amount bigint not null, state varchar(16) not null
);
create table if not exists effect (
    seq bigint auto_increment primary key, at timestamp(6) not null default current_timestamp(6),
    transfer varchar(64) not null, saga varchar(64) not null, branch varchar(64) not null,
    kind varchar(16) not null, operation varchar(16) not null, account varchar(32) not null, amount bigint not null
);
