package io.alphaomega.omega.kotlin

import io.alphaomega.omega.context.SagaContextElement
import io.alphaomega.omega.SagaAbortedException
import io.alphaomega.omega.SagaException
import io.alphaomega.omega.test.OmegaAssertions.assertThat
import io.alphaomega.omega.test.OmegaTest
import io.alphaomega.omega.test.TestAlpha
import io.alphaomega.repository.SagaSummary
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineName
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.async
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.test.StandardTestDispatcher
import kotlinx.coroutines.test.TestCoroutineScheduler
import kotlinx.coroutines.withContext
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatExceptionOfType
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.awaitility.Awaitility.await
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import org.springframework.beans.factory.annotation.Autowired
import org.springframework.boot.test.context.SpringBootTest
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment
import java.time.Duration

/** Sagas and branches that are suspend functions. */
@SpringBootTest(classes = [Travel::class], webEnvironment = WebEnvironment.NONE)
@OmegaTest
class SuspendTest {
    @Autowired
    private lateinit var trips: Trips

    @Autowired
    private lateinit var rooms: RoomDesk

    @Autowired
    private lateinit var notes: Notes

    @Autowired
    private lateinit var alpha: TestAlpha

    @BeforeEach
    fun nothing_done() {
        notes.clear()
        rooms.failures.set(0)
        rooms.waiting = CompletableDeferred()
        rooms.atLast = {}
    }

    @Test
    fun a_suspend_function_is_in_its_saga_on_whichever_thread_it_goes_on(): Unit = runBlocking {
        val seen = trips.book("Ada")

        assertThat(seen).containsExactly(alpha.saga().id())
        assertThat(alpha.saga()).committed()
        assertThat(alpha.saga().businessKey()).isEqualTo("trip of Ada")
        assertThat(notes.all()).containsExactly("2 rooms for Ada, in a saga")
        assertThat(here()).isEqualTo("none")
    }

    @Test
    fun what_it_throws_comes_out_unchanged_and_what_was_done_is_undone_by_suspend_functions_too() {
        assertThatExceptionOfType(RefusedException::class.java)
            .isThrownBy { runBlocking { trips.bookAndFail("Bob") } }
            .withMessage("not for Bob")

        assertThat(alpha.saga()).compensated("CarDesk.book", "RoomDesk.hold")
        assertThat(notes.all())
            .containsExactly("1 rooms for Bob, in a saga", "1 car back", "key of Bob back from Bob, who wished null")
    }

    @Test
    fun a_nested_saga_that_fails_is_undone_alone(): Unit = runBlocking {
        val told = trips.bookWithExcursions("Ada", "Bob")

        val (outer, ada, bob) = alpha.sagas()
        assertThat(told).containsExactly("key of Ada, ${ada.id()}", "no mountains for Bob")
        assertThat(outer).committed().hasChildren("Excursions.book", "Excursions.book")
        assertThat(ada).committed()
        assertThat(bob).compensated("RoomDesk.hold")
        assertThat(notes.all()).endsWith("key of Bob back from Bob, who wished mountains")
    }

    @Test
    fun a_saga_whose_coroutine_is_cancelled_is_aborted(): Unit = runBlocking {
        val booked = CompletableDeferred<Unit>()
        val trip = launch(Dispatchers.Default) { trips.bookAndWait("Ada", booked) }
        booked.await()
        trip.cancelAndJoin()

        await().untilAsserted { assertThat(alpha.saga()).compensated("RoomDesk.hold") }
    }

    @Test
    fun a_branch_whose_coroutine_is_cancelled_has_failed_and_nobody_knows_what_it_has_done(): Unit = runBlocking {
        val trip = launch(Dispatchers.Default) { trips.waitInBranch("Ada") }
        rooms.waiting.await()
        trip.cancelAndJoin()

        await().untilAsserted {
            assertThat(alpha.saga().history())
                .contains("RoomDesk.waitForever failed: CancellationException: its caller cancelled it")
        }
        alpha.advance(Duration.ofHours(1))
        assertThat(alpha.saga()).suspended()
        assertThat(notes.all()).isEmpty()
    }

    @Test
    @OptIn(ExperimentalCoroutinesApi::class)
    fun a_timeout_that_comes_when_the_branch_is_done_and_alpha_has_not_answered_undoes_it() {
        var held = false
        rooms.atLast = {
            alpha.goAway()
            held = true
        }
        val clock = TestCoroutineScheduler() // Nothing runs, and no time passes, but by this thread.
        val trip = CoroutineScope(StandardTestDispatcher(clock)).async { trips.bookInTime("Ada") }
        await().until {
            clock.advanceTimeBy(1)
            clock.runCurrent()
            held
        }
        clock.advanceTimeBy(60_000)
        clock.runCurrent()
        alpha.comeBack()
        await().until {
            clock.runCurrent()
            trip.isCompleted
        }

        assertThatThrownBy { runBlocking { trip.await() } }.isInstanceOf(SagaAbortedException::class.java)
        assertThat(alpha.saga()).compensated("RoomDesk.hold")
        assertThat(notes.all())
            .containsExactly("1 rooms for Ada, in a saga", "key of Ada back from Ada, who wished null")
    }

    @Test
    fun it_is_tried_again_in_one_branch() {
        runBlocking { trips.refuse("Ada") }
        assertThat(alpha.saga()).committed()
        assertThat(rooms.failures).hasValue(3)

        assertThatThrownBy { runBlocking { trips.refuse("nobody") } }.hasMessage("no room for nobody")
        assertThat(rooms.failures).hasValue(6)
        assertThat(alpha.sagas().last()).compensatedNothing()
    }

    @Test
    fun its_compensation_is_told_what_it_says() {
        assertThatThrownBy { runBlocking { trips.open("Ada") } }.hasMessage("closed")

        assertThat(alpha.saga()).compensated("RoomDesk.open")
        assertThat(notes.all()).containsExactly("closed for Ada!")
    }

    @Test
    fun a_try_is_confirmed_or_cancelled_by_suspend_functions() {
        runBlocking { trips.reserve("Ada", false) }
        assertThat(alpha.saga()).confirmed("RoomDesk.reserve")

        assertThatThrownBy { runBlocking { trips.reserve("Bob", true) } }.hasMessage("not for Bob")
        assertThat(alpha.sagas().last()).compensated("RoomDesk.reserve")
        assertThat(notes.all()).containsExactly("sold, reservation of Ada", "free again")
    }

    @Test
    fun a_flow_is_a_saga_each_time_that_it_is_collected_and_ends_with_it(): Unit = runBlocking {
        val stream = trips.stream(2)
        assertThat(alpha.sagas()).isEmpty()

        val rows = withContext(CoroutineName("Ada") + Dispatchers.Default) { stream.toList() }
        assertThat(rows).containsExactly("collected by Ada, true", "room 1 in a saga", "room 2 in a saga")
        assertThat(alpha.saga()).committed()

        assertThat(stream.first()).isEqualTo("collected by null, true")
        await().untilAsserted {
            assertThat(alpha.sagas().filter { it.state() == SagaSummary.State.COMMITTED }).hasSize(1)
        }

        assertThat(trips.streamLater("Bob").toList()).containsExactly("key of Bob, true")
        assertThat(alpha.sagas().last()).committed()
    }

    @Test
    fun a_saga_may_end_in_another_suspend_function_and_does_not_begin_in_one(): Unit = runBlocking {
        val saga = trips.begin("Ada")
        assertThat(alpha.saga()).active()
        withContext(SagaContextElement(saga)) {
            assertThatThrownBy { runBlocking(SagaContextElement.current()) { trips.book("Bob") } }
                .isInstanceOf(SagaException::class.java)
                .hasMessageContaining("It may join that one")
            assertThat(trips.end()).isEqualTo(saga.saga())
        }
        assertThat(alpha.saga()).committed()
    }

    @Test
    fun coroutines_of_a_plain_method_are_in_its_saga_if_they_are_told_of_it() {
        val saga = trips.bookBlocking("Ada", true)
        assertThat(alpha.saga().id()).isEqualTo(saga)
        assertThat(alpha.saga()).committed()

        assertThat(trips.bookBlocking("Bob", false)).isEqualTo("none")
        assertThat(alpha.sagas()).hasSize(1)
    }
}
