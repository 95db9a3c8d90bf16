create table if not exists entry (
    order_id varchar(40) primary key, customer varchar(100) not null, article varchar(40) not null, pieces int not null,
    state varchar(10) not null
);
