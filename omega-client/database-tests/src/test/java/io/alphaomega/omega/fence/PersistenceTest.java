package io.alphaomega.omega.fence;

import static io.alphaomega.omega.test.OmegaAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.test.OmegaTest;
import io.alphaomega.omega.test.TestAlpha;
import io.alphaomega.repository.servers.DatabaseServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** What JPA and MyBatis do late, at the flush before the commit, is a part of the branch. */
@SpringBootTest(
        classes = Hall.class,
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
    @Autowired
    private Hall.Desk desk;

    @Autowired
    private Hall.Evening evening;

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

    @BeforeEach
    void empty() {
        for (String table : List.of("seat_wishes", "seat", "chair", "dinner")) {
            database.sql("delete from " + table).update();
        }
        Hall.UNDONE.set(0);
        Hall.RIVALS.set(0);
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
        assertThat(alpha.saga()).compensated("Hall.Desk.seat");
        assertThat(Hall.UNDONE).as("of the first only").hasValue(1);
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
        assertThat(alpha.saga()).compensated("Hall.Desk.seatByMapper");
        assertThat(Hall.UNDONE).hasValue(1);
        assertThat(guests()).as("what the batch of the compensation has made").containsExactly("Ada gone");
        assertThat(rows()).isEqualTo(1);
    }

    // ---- versions

    @Test
    void an_optimistic_lock_that_fails_has_failed_the_branch_and_left_nothing() {
        seated("A1", "Ada");
        Hall.RIVALS.set(1);
        assertThatThrownBy(() -> evening.plan(() -> desk.move("A1", "Grace")))
                .isInstanceOf(OptimisticLockingFailureException.class);
        assertThat(alpha.saga()).compensatedNothing();
        assertThat(guests()).containsExactly("rival");
        assertThat(rows()).isZero();
    }

    @Test
    void with_forwardRetries_it_is_tried_again_in_the_same_branch() {
        seated("A1", "Ada");
        Hall.RIVALS.set(1);
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
        assertThat(alpha.saga()).compensated("Hall.Desk.move");
        assertThat(guests()).containsExactly("Ada");
    }

    @Test
    void one_that_loses_to_a_rival_at_its_flush_is_asked_for_again_and_takes_effect_once() {
        seated("A1", "Ada");
        assertThatThrownBy(() -> evening.plan(() -> {
                    desk.move("A1", "Grace");
                    Hall.RIVALS.set(1);
                    cancelled();
                }))
                .hasMessage("the cook is ill");
        await().until(() -> {
            alpha.advance(Duration.ofSeconds(10));
            return Hall.UNDONE.get() == 2;
        });
        assertThat(alpha.saga()).compensated("Hall.Desk.move");
        assertThat(guests()).containsExactly("Ada");
    }

    // ---- entities as arguments and results

    @Test
    void a_result_that_is_lazy_is_refused_rather_than_loaded_piece_by_piece() {
        seated("A1", "Ada");
        assertThatThrownBy(() -> evening.plan(() -> desk.found("A1", "Grace")))
                .isInstanceOf(SagaException.class)
                .hasMessageContaining("The result of Hall.Desk.found")
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
                    Hall.Seat seat = new Hall.Seat("A1", "Ada");
                    desk.given(seat);
                    seat.takenBy("nobody, any more");
                    desk.rival("A1");
                    cancelled();
                }))
                .hasMessage("the cook is ill");
        assertThat(alpha.saga()).compensated("Hall.Desk.given");
        Hall.Seat told = Objects.requireNonNull(Hall.TOLD.get());
        assertThat(told.guest()).isEqualTo("Ada");
        assertThat(guests()).isEmpty();
    }
}
