package io.alphaomega.omega.context

import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.single
import kotlinx.coroutines.launch
import kotlinx.coroutines.reactor.awaitSingle
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.sync.Semaphore
import kotlinx.coroutines.withContext
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.slf4j.MDC
import reactor.core.publisher.Mono
import reactor.core.scheduler.Schedulers
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.atomic.AtomicInteger

/** Very many sagas at once, over the threads of coroutines: no step of one is ever in another, and no thread stays in one. */
class CoroutineLeakTest {
    private val steps = AtomicInteger()
    private val crossed = ConcurrentLinkedQueue<String>()

    private fun saga(number: Int): SagaContext {
        val id = "saga-$number"
        return SagaContext.begun(id, 0, "", PendingReports.nothing(id))
    }

    private fun step(expected: String?) {
        val found = SagaContext.current().map(SagaContext::saga).orElse(null)
        if (expected != found || expected != MDC.get(SagaContext.MDC_SAGA)) crossed += "$expected found itself in $found"
        steps.incrementAndGet()
    }

    /** From thread to thread. */
    private suspend fun journey(saga: String) = coroutineScope {
        step(saga)
        yield()
        step(saga)
        val other = async(Dispatchers.IO) { step(saga) }
        withContext(Dispatchers.Unconfined) {
            Mono.just(saga).publishOn(Schedulers.parallel()).awaitSingle()
            step(saga)
        }
        other.await()
        launch { step(saga) }.join()
        flow { step(saga); emit(saga) }.single()
        step(saga)
    }

    @Test
    fun twenty_thousand() = interleaved(20_000)

    @Test
    @Tag("long")
    fun a_hundred_thousand() = interleaved(100_000)

    private fun interleaved(sagas: Int) {
        val room = Semaphore(AT_ONCE)
        runBlocking(Dispatchers.Default) {
            for (number in 1..sagas) {
                room.acquire()
                step(null)
                val saga = saga(number)
                launch(SagaContextElement(saga)) {
                    journey(saga.saga())
                    withContext(SagaContextElement(null)) { step(null) }
                    step(saga.saga())
                    room.release()
                }
            }
        }
        assertThat(crossed).isEmpty()
        assertThat(steps).hasValue(sagas * 10)
        assertThat(SagaContext.current()).isEmpty()
    }

    private companion object {
        const val AT_ONCE = 256
    }
}
