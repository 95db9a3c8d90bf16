package io.alphaomega.omega.fence;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.SagaStart;
import jakarta.persistence.Column;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import jakarta.persistence.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Mapper;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.annotations.Update;
import org.hibernate.Hibernate;
import org.jspecify.annotations.Nullable;
import org.mybatis.spring.annotation.MapperScan;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** A service that seats guests, by JPA, by MyBatis and by JDBC. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@MapperScan(basePackageClasses = Hall.class, annotationClass = Mapper.class)
@Import({Hall.Desk.class, Hall.Evening.class})
class Hall {
    static final AtomicInteger UNDONE = new AtomicInteger();
    static final AtomicReference<@Nullable Seat> TOLD = new AtomicReference<>();

    /** How many times somebody else changes the seat meanwhile. */
    static final AtomicInteger RIVALS = new AtomicInteger();

    @Entity(name = "seat")
    static class Seat {
        @Id
        String id = "";

        @Column(unique = true)
        String guest = "";

        @Version
        long version;

        @ElementCollection
        List<String> wishes = new ArrayList<>();

        Seat() {}

        Seat(String id, String guest) {
            this.id = id;
            this.guest = guest;
        }

        void takenBy(String other) {
            guest = other;
        }

        String guest() {
            return guest;
        }
    }

    /** A table and its chairs lead to each other. */
    @Entity(name = "dinner")
    static class Dinner {
        @Id
        String id = "";

        @OneToMany(mappedBy = "dinner", fetch = FetchType.EAGER)
        List<Chair> chairs = new ArrayList<>();

        Dinner() {}

        Dinner(String id) {
            this.id = id;
        }
    }

    @Entity(name = "chair")
    static class Chair {
        @Id
        String id = "";

        @ManyToOne(fetch = FetchType.LAZY)
        @Nullable
        Dinner dinner;

        Chair() {}

        Chair(String id, Dinner dinner) {
            this.id = id;
            this.dinner = dinner;
        }
    }

    @Mapper
    interface Seats {
        @Insert("insert into seat (id, guest, version) values (#{id}, #{guest}, 0)")
        void insert(String id, String guest);

        @Update("update seat set guest = concat(guest, ' gone') where id = #{id}")
        void leave(String id);

        @Select("select connection_id()")
        long connection();
    }

    static class Evening {
        @SagaStart
        public void plan(Runnable business) {
            business.run();
        }
    }

    static class Desk {
        private final EntityManager entities;
        private final Seats seats;
        private final JdbcClient plain;
        private final TransactionTemplate apart;

        Desk(EntityManagerFactory entities, Seats seats, JdbcClient plain, PlatformTransactionManager transactions) {
            this.entities = SharedEntityManagerCreator.createSharedEntityManager(entities);
            this.seats = seats;
            this.plain = plain;
            this.apart = new TransactionTemplate(transactions);
            apart.setPropagationBehavior(TransactionTemplate.PROPAGATION_REQUIRES_NEW);
        }

        /** Written at the commit. */
        @Transactional
        @Compensable(compensationMethod = "undo", name = "seat")
        public String seat(String id, String guest) {
            entities.persist(new Seat(id, guest));
            return id;
        }

        @Compensable(compensationMethod = "moveBack", name = "move")
        public String move(String id, String guest) {
            return change(id, guest);
        }

        @Compensable(compensationMethod = "undo", name = "move again", forwardRetries = 1, forwardRetryDelay = "1ms")
        public void moveOrTryAgain(String id, String guest) {
            change(id, guest);
        }

        /** Given who sat there. */
        public void moveBack(String id, String guest, String before) {
            change(id, before);
            UNDONE.incrementAndGet();
        }

        private String change(String id, String guest) {
            Seat seat = entities.find(Seat.class, id);
            String before = seat.guest();
            if (RIVALS.getAndDecrement() > 0) rival(id);
            seat.takenBy(guest);
            return before;
        }

        public void rival(String id) {
            apart.executeWithoutResult(
                    status -> entities.createQuery("update versioned seat set guest = 'rival' where id = :id")
                            .setParameter("id", id)
                            .executeUpdate());
        }

        /** Sent in a batch before the commit. */
        @Compensable(compensationMethod = "leave", name = "mapped")
        public void seatByMapper(String id, String guest) {
            seats.insert(id, guest);
        }

        public void leave(String id, String guest) {
            seats.leave(id);
            UNDONE.incrementAndGet();
        }

        /** The connection of each that takes part. */
        @Compensable(compensationMethod = "undo", name = "connections")
        public List<Long> connections(String id, String guest) {
            Number byJpa = (Number)
                    entities.createNativeQuery("select connection_id()").getSingleResult();
            long byJdbc = plain.sql("select connection_id()").query(Long.class).single();
            return List.of(byJpa.longValue(), byJdbc, seats.connection());
        }

        /** An entity, whose wishes are lazy. */
        @Transactional
        @Compensable(compensationMethod = "undo", name = "found")
        public Seat found(String id, String guest) {
            Seat seat = entities.find(Seat.class, id);
            seat.takenBy(guest);
            return seat;
        }

        @Transactional
        @Compensable(compensationMethod = "undo", name = "whole")
        public Seat whole(String id, String guest) {
            Seat seat = entities.find(Seat.class, id);
            Hibernate.initialize(seat.wishes);
            return seat;
        }

        @Transactional
        @Compensable(compensationMethod = "undo", name = "reference")
        public Seat reference(String id, String guest) {
            return entities.getReference(Seat.class, id);
        }

        @Transactional
        @Compensable(compensationMethod = "undo", name = "not kept", storeResult = false)
        public Seat notKept(String id, String guest) {
            return entities.find(Seat.class, id);
        }

        @Transactional
        @Compensable(compensationMethod = "undo", name = "dinner")
        public Dinner dinner(String id, String guest) {
            Dinner dinner = new Dinner(id);
            entities.persist(dinner);
            Chair chair = new Chair(id, dinner);
            entities.persist(chair);
            dinner.chairs.add(chair);
            return dinner;
        }

        /** Given an entity, as it was at the call. */
        @Transactional
        @Compensable(compensationMethod = "removeAgain", name = "given")
        public void given(Seat seat) {
            entities.persist(seat);
        }

        public void removeAgain(Seat seat) {
            TOLD.set(seat);
            entities.remove(entities.find(Seat.class, seat.id));
        }

        public void undo() {
            UNDONE.incrementAndGet();
        }
    }
}
