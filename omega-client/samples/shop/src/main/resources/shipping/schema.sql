create table if not exists parcel (
    order_id varchar(40) primary key, address varchar(200) not null, state varchar(10) not null
);
