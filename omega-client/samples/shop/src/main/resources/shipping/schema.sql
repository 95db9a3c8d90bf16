create table if not exists parcel (
    order_id varchar(40) primary key, address varchar(200) not null, state varchar(10) not null
);
create table if not exists card (
    order_id varchar(40) primary key, text varchar(80) not null, state varchar(10) not null
);
