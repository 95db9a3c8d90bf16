package io.alphaomega.omega.fence;

import static io.alphaomega.omega.test.OmegaAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.SagaStart;
import io.alphaomega.omega.test.OmegaTest;
import io.alphaomega.omega.test.TestAlpha;
import io.alphaomega.repository.servers.DatabaseServer;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.annotations.Mapper;
import org.apache.ibatis.annotations.Select;
import org.apache.ibatis.annotations.Update;
import org.hibernate.Hibernate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mybatis.spring.annotation.MapperScan;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** What JPA and MyBatis do late, at the flush before the commit, is a part of the branch. */
@SpringBootTest(
        classes = PersistenceTest.Hall.class,
        properties = {
            "spring.application.name=hall",
            "spring.datasource.hikari.maximum-pool-size=2", // One for the branch, one for its rival: none for the
            // fence.
            "spring.jpa.hibernate.ddl-auto=create-only", // Its user may not drop.
            "spring.jpa.open-in-view=false",
            "mybatis.executor-type=batch"
        })
@OmegaTest
class PersistenceTest {
    private static final AtomicInteger UNDONE = new AtomicInteger();
    private static final AtomicReference<@Nullable Seat> TOLD = new AtomicReference<>();

    /** How many times somebody else changes the seat meanwhile. */
    private static final AtomicInteger RIVALS = new AtomicInteger();

    @Autowired
    private Desk desk;

    @Autowired
    private Evening evening;

    @Autowired
    private JdbcClient database;

    @Autowired
    private TestAlpha alpha;

    @DynamicPropertySource
    static void database(DynamicPropertyRegistry properties) {
        properties.add("spring.datasource.url", Databases.MARIADB::url);
        properties.add("spring.datasource.username", () -> DatabaseServer.USER);
        properties.add("spring.datasource.password", () -> DatabaseServer.PASSWORD);
    }

    @AfterAll
    static void stop() {
        Databases.stop();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @MapperScan(basePackageClasses = PersistenceTest.class, annotationClass = Mapper.class)
    @Import({Desk.class, Evening.class})
    static class Hall {}

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

    @BeforeEach
    void empty() {
        for (String table : List.of("seat_wishes", "seat", "chair", "dinner")) {
            database.sql("delete from " + table).update();
        }
        UNDONE.set(0);
        RIVALS.set(0);
    }

    private List<@Nullable String> guests() {
        return database.sql("select guest from seat order by id")
                .query(String.class)
                .list();
    }

    /** What the fence has of forward calls in the last saga that were committed. */
    private long rows() {
        return database.sql("select count(*) from omega_fence where op = 'forward' and reason = 'forward' and saga = ?")
                .param(alpha.saga().id())
                .query(Long.class)
                .single();
    }

    private void seated(String id, String guest) {
        evening.plan(() -> desk.seat(id, guest));
        alpha.reset();
    }

    private static void cancelled() {
        throw new IllegalStateException("the cook is ill");
    }

    // ---- one connection, one commit

    @Test
    void what_is_written_at_the_commit_is_committed_with_the_row() {
        evening.plan(() -> {
            assertThat(desk.seat("A1", "Ada")).isEqualTo("A1");
            desk.seatByMapper("A2", "Grace");
        });
        assertThat(alpha.saga()).committed();
        assertThat(guests()).containsExactly("Ada", "Grace");
        assertThat(rows()).isEqualTo(2);
    }

    @Test
    void JPA_MyBatis_and_JDBC_share_the_connection_that_the_row_is_in() {
        List<Long> seen = new ArrayList<>();
        evening.plan(() -> seen.addAll(desk.connections("A1", "Ada")));
        assertThat(seen).hasSize(3).containsOnly(seen.get(0));
    }

    // ---- what only the flush shows

    @Test
    void a_constraint_that_shows_at_the_flush_has_failed_the_branch_and_left_nothing() {
        assertThatThrownBy(() -> evening.plan(() -> {
                    desk.seat("A1", "Ada");
                    desk.seat("A2", "Ada");
                }))
                .isInstanceOf(DataIntegrityViolationException.class);
        assertThat(alpha.saga()).compensated("PersistenceTest.Desk.seat");
        assertThat(UNDONE).as("of the first only").hasValue(1);
        assertThat(guests()).containsExactly("Ada");
        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void one_that_shows_in_the_batch_of_MyBatis_has_too() {
        assertThatThrownBy(() -> evening.plan(() -> {
                    desk.seatByMapper("A1", "Ada");
                    desk.seatByMapper("A2", "Ada");
                }))
                .isInstanceOf(DataIntegrityViolationException.class);
        assertThat(alpha.saga()).compensated("PersistenceTest.Desk.seatByMapper");
        assertThat(UNDONE).hasValue(1);
        assertThat(guests()).as("what the batch of the compensation has made").containsExactly("Ada gone");
        assertThat(rows()).isEqualTo(1);
    }

    // ---- versions

    @Test
    void an_optimistic_lock_that_fails_has_failed_the_branch_and_left_nothing() {
        seated("A1", "Ada");
        RIVALS.set(1);
        assertThatThrownBy(() -> evening.plan(() -> desk.move("A1", "Grace")))
                .isInstanceOf(OptimisticLockingFailureException.class);
        assertThat(alpha.saga()).compensatedNothing();
        assertThat(guests()).containsExactly("rival");
        assertThat(rows()).isZero();
    }

    @Test
    void with_forwardRetries_it_is_tried_again_in_the_same_branch() {
        seated("A1", "Ada");
        RIVALS.set(1);
        evening.plan(() -> desk.moveOrTryAgain("A1", "Grace"));
        assertThat(alpha.saga()).committed();
        assertThat(guests()).containsExactly("Grace");
        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void a_compensation_finds_what_others_have_changed_since() {
        seated("A1", "Ada");
        assertThatThrownBy(() -> evening.plan(() -> {
                    desk.move("A1", "Grace");
                    desk.rival("A1");
                    cancelled();
                }))
                .hasMessage("the cook is ill");
        assertThat(alpha.saga()).compensated("PersistenceTest.Desk.move");
        assertThat(guests()).containsExactly("Ada");
    }

    @Test
    void one_that_loses_to_a_rival_at_its_flush_is_asked_for_again_and_takes_effect_once() {
        seated("A1", "Ada");
        assertThatThrownBy(() -> evening.plan(() -> {
                    desk.move("A1", "Grace");
                    RIVALS.set(1);
                    cancelled();
                }))
                .hasMessage("the cook is ill");
        await().until(() -> {
            alpha.advance(Duration.ofSeconds(10));
            return UNDONE.get() == 2;
        });
        assertThat(alpha.saga()).compensated("PersistenceTest.Desk.move");
        assertThat(guests()).containsExactly("Ada");
    }

    // ---- entities as arguments and results

    @Test
    void a_result_that_is_lazy_is_refused_rather_than_loaded_piece_by_piece() {
        seated("A1", "Ada");
        assertThatThrownBy(() -> evening.plan(() -> desk.found("A1", "Grace")))
                .isInstanceOf(SagaException.class)
                .hasMessageContaining("The result of PersistenceTest.Desk.found")
                .hasMessageContaining("'wishes' of Seat is lazy and has not been loaded")
                .hasMessageContaining("Pass a plain value, such as a key.");
        assertThat(alpha.saga()).compensatedNothing();
        assertThat(guests()).containsExactly("Ada");
        assertThat(rows()).isZero();
    }

    @Test
    void one_that_is_loaded_is_kept() {
        seated("A1", "Ada");
        evening.plan(() -> assertThat(desk.whole("A1", "Ada").guest()).isEqualTo("Ada"));
        assertThat(alpha.saga()).committed();
    }

    @Test
    void a_reference_is_refused_and_so_is_what_leads_back_to_itself() {
        seated("A1", "Ada");
        assertThatThrownBy(() -> evening.plan(() -> desk.reference("A1", "Ada")))
                .isInstanceOf(SagaException.class)
                .hasMessageContaining("a proxy of Hibernate's in place of a Seat");
        assertThatThrownBy(() -> evening.plan(() -> desk.dinner("D1", "Ada")))
                .isInstanceOf(SagaException.class)
                .hasMessageContaining("'dinner' of Chair leads back to where it comes from");
        assertThat(database.sql("select count(*) from dinner").query(Long.class).single())
                .isZero();
    }

    @Test
    void what_the_fence_does_not_keep_may_be_anything() {
        seated("A1", "Ada");
        evening.plan(() -> assertThat(desk.notKept("A1", "Ada").guest()).isEqualTo("Ada"));
        assertThat(alpha.saga()).committed();
    }

    @Test
    void an_argument_comes_back_as_it_was_at_the_call_and_detached() {
        assertThatThrownBy(() -> evening.plan(() -> {
                    Seat seat = new Seat("A1", "Ada");
                    desk.given(seat);
                    seat.takenBy("nobody, any more");
                    desk.rival("A1");
                    cancelled();
                }))
                .hasMessage("the cook is ill");
        assertThat(alpha.saga()).compensated("PersistenceTest.Desk.given");
        Seat told = Objects.requireNonNull(TOLD.get());
        assertThat(told.guest()).isEqualTo("Ada");
        assertThat(guests()).isEmpty();
    }
}
