package io.alphaomega.omega.kotlin

import io.alphaomega.omega.context.SagaContext
import io.alphaomega.omega.context.SagaContextElement
import io.alphaomega.omega.Compensable
import io.alphaomega.omega.CompensationArgument
import io.alphaomega.omega.Participate
import io.alphaomega.omega.SagaEnd
import io.alphaomega.omega.SagaPropagation
import io.alphaomega.omega.SagaStart
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineName
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeoutOrNull
import org.slf4j.MDC
import org.springframework.boot.SpringBootConfiguration
import org.springframework.boot.autoconfigure.EnableAutoConfiguration
import org.springframework.context.annotation.Import
import org.springframework.jdbc.core.simple.JdbcClient
import org.springframework.stereotype.Service
import org.springframework.transaction.annotation.Transactional
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.atomic.AtomicInteger
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext

/** A service in Kotlin, as its team would test it. */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import(Trips::class, Excursions::class, RoomDesk::class, CarDesk::class, Notes::class)
class Travel

/** The saga that this thread is in, if the log says the same. */
fun here(): String {
    val saga = SagaContext.current().map(SagaContext::saga).orElse("none")
    return if (saga == (MDC.get(SagaContext.MDC_SAGA) ?: "none")) saga else "another than the log's"
}

class RefusedException(message: String) : Exception(message)

data class Stay(val rooms: Int, val wish: String?)

/** What was done, in order. */
@Service
class Notes {
    private val lines = ConcurrentLinkedQueue<String>()

    operator fun plusAssign(line: String) {
        lines += line
    }

    fun all() = lines.toList()

    fun clear() = lines.clear()
}

/** Has rooms, of a hotel that is asked over the network: no fence guards it. */
@Service
class RoomDesk(private val notes: Notes) {
    val failures = AtomicInteger()

    /** Complete when somebody waits for a room for ever. */
    @Volatile
    var waiting = CompletableDeferred<Unit>()

    /** The last thing that happens before a room is held. */
    @Volatile
    var atLast: () -> Unit = {}

    @Compensable(compensationMethod = "release", fenced = false, cleanOnException = true)
    suspend fun hold(guest: String, stay: Stay): String {
        val before = here()
        delay(1)
        notes += "${stay.rooms} rooms for $guest, ${if (before == here()) "in a saga" else "elsewhere"}"
        atLast()
        return "key of $guest"
    }

    suspend fun release(guest: String, stay: Stay, key: String) {
        val before = here()
        delay(1)
        check(before != "none" && before == here())
        notes += "$key back from $guest, who wished ${stay.wish}"
    }

    @Compensable(
        compensationMethod = "nothing",
        fenced = false,
        cleanOnException = true,
        forwardRetries = 2,
        forwardRetryDelay = "1ms",
    )
    suspend fun refuse(guest: String) {
        delay(1)
        if (failures.incrementAndGet() < 3) throw IllegalStateException("try ${failures.get()} of $guest")
        if (guest == "nobody") throw RefusedException("no room for $guest")
    }

    suspend fun nothing() {}

    @Compensable(compensationMethod = "forget", fenced = false)
    suspend fun waitForever(guest: String) {
        waiting.complete(Unit)
        awaitCancellation()
    }

    suspend fun forget(guest: String) {
        notes += "forgot $guest"
    }

    @Compensable(compensationMethod = "close", fenced = false)
    suspend fun open(stay: Stay, guest: String) {}

    suspend fun close(@CompensationArgument("#guest + '!'") guest: String) {
        notes += "closed for $guest"
    }

    @Participate(confirmMethod = "sell", cancelMethod = "free", fenced = false)
    suspend fun reserve(guest: String): String {
        delay(1)
        return "reservation of $guest"
    }

    suspend fun sell(guest: String, reservation: String) {
        delay(1)
        notes += "sold, $reservation"
    }

    suspend fun free() {
        notes += "free again"
    }

    @Compensable(compensationMethod = "nothing", fenced = false, cleanOnException = true)
    fun numbers(last: Int): Flow<String> = flow {
        for (number in 1..last) {
            delay(1)
            emit("room $number ${if (here() == "none") "elsewhere" else "in a saga"}")
        }
    }
}

/** Has cars, in a database: plain methods, which the fence guards. */
@Service
class CarDesk(private val database: JdbcClient, private val notes: Notes) {
    init {
        database.sql("CREATE TABLE IF NOT EXISTS car (guest TEXT NOT NULL)").update()
    }

    @Transactional
    @Compensable(compensationMethod = "cancel")
    fun book(guest: String) {
        database.sql("INSERT INTO car (guest) VALUES (?)").param(guest).update()
    }

    @Transactional
    fun cancel(guest: String) {
        notes += "${database.sql("DELETE FROM car WHERE guest = ?").param(guest).update()} car back"
    }
}

/** Parts of a trip that may fail alone. */
@Service
class Excursions(private val rooms: RoomDesk) {
    @SagaStart(propagation = SagaPropagation.NESTED)
    suspend fun book(guest: String): String {
        val key = rooms.hold(guest, Stay(1, "mountains"))
        if (guest == "Bob") throw RefusedException("no mountains for $guest")
        return "$key, ${here()}"
    }
}

@Service
class Trips(private val rooms: RoomDesk, private val cars: CarDesk, private val excursions: Excursions) {
    /** Has what came of the excursions. */
    @SagaStart
    suspend fun bookWithExcursions(vararg guests: String): List<String> = guests.map { guest ->
        try {
            excursions.book(guest)
        } catch (refused: RefusedException) {
            refused.message!!
        }
    }

    /** Has what it has seen of its saga on all the threads that it was on. */
    @SagaStart(businessKey = "'trip of ' + #guest")
    suspend fun book(guest: String): Set<String> {
        val seen = mutableSetOf(here())
        check(rooms.hold(guest, Stay(2, "sea")) == "key of $guest")
        seen += here()
        withContext(Dispatchers.IO) {
            seen += here()
            cars.book(guest)
            delay(1)
            seen += here()
        }
        coroutineScope {
            val other = async(Dispatchers.Default) { delay(1); here() }
            launch { delay(1); seen += here() }.join()
            seen += other.await()
        }
        return seen
    }

    @SagaStart
    suspend fun bookAndFail(guest: String): String {
        rooms.hold(guest, Stay(1, null))
        withContext(Dispatchers.IO) { cars.book(guest) }
        throw RefusedException("not for $guest")
    }

    @SagaStart
    suspend fun bookAndWait(guest: String, booked: CompletableDeferred<Unit>) {
        rooms.hold(guest, Stay(1, null))
        booked.complete(Unit)
        awaitCancellation()
    }

    /** Goes on without a room that comes too late. */
    @SagaStart
    suspend fun bookInTime(guest: String): String =
        withTimeoutOrNull(60_000) { rooms.hold(guest, Stay(1, null)) } ?: "no room for $guest in time"

    @SagaStart
    suspend fun waitInBranch(guest: String) = rooms.waitForever(guest)

    @SagaStart
    suspend fun refuse(guest: String) = rooms.refuse(guest)

    @SagaStart
    suspend fun open(guest: String) {
        rooms.open(Stay(1, null), guest)
        throw RefusedException("closed")
    }

    @SagaStart
    suspend fun reserve(guest: String, fail: Boolean) {
        rooms.reserve(guest)
        if (fail) throw RefusedException("not for $guest")
    }

    /** In the context of whoever collects it. */
    @SagaStart
    fun stream(last: Int): Flow<String> = flow {
        emit("collected by ${currentCoroutineContext()[CoroutineName]?.name}, ${here() != "none"}")
        rooms.numbers(last).collect { emit(it) }
    }

    /** The function suspends before it has the flow. */
    @SagaStart
    suspend fun streamLater(guest: String): Flow<String> {
        delay(1)
        val key = rooms.hold(guest, Stay(1, null))
        return flow { emit("$key, ${here() != "none"}") }
    }

    @SagaStart(autoClose = false)
    suspend fun begin(guest: String): SagaContext {
        rooms.hold(guest, Stay(1, null))
        return SagaContext.current().orElseThrow()
    }

    @SagaEnd
    suspend fun end(): String {
        delay(1)
        return here()
    }

    /** A plain method that starts coroutines, in its saga if they are told of it. */
    @SagaStart
    fun bookBlocking(guest: String, told: Boolean): String {
        val context: CoroutineContext = if (told) SagaContextElement.current() else EmptyCoroutineContext
        return runBlocking(Dispatchers.IO + context) { here().also { rooms.hold(guest, Stay(1, null)) } }
    }
}
