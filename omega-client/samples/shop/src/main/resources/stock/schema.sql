create table if not exists article (
    name varchar(40) primary key, delivered int not null, shelf int not null, reserved int not null
);
create table if not exists reservation (
    id varchar(81) primary key, order_id varchar(40) not null, article varchar(40) not null, pieces int not null,
    state varchar(10) not null
);
insert ignore into article (name, delivered, shelf, reserved)
values ('lamp', 1000, 1000, 0), ('desk', 100, 100, 0), ('piano', 2, 2, 0), ('gift-box', 10, 10, 0);
