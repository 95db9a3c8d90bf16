package io.alphaomega.omega.kotlin

import io.alphaomega.omega.Compensable
import io.alphaomega.omega.SagaPropagation
import io.alphaomega.omega.SagaStart
import io.alphaomega.omega.test.OmegaTest
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.emptyFlow
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.Test
import org.springframework.boot.SpringBootConfiguration
import org.springframework.boot.WebApplicationType
import org.springframework.boot.autoconfigure.EnableAutoConfiguration
import org.springframework.boot.builder.SpringApplicationBuilder
import org.springframework.transaction.annotation.Transactional
import reactor.core.publisher.Mono

/** Suspend functions that cannot work keep a service from starting. */
class StartUpTest {
    @SpringBootConfiguration
    @EnableAutoConfiguration
    @OmegaTest
    class Empty

    class Final {
        @SagaStart
        suspend fun book() {}
    }

    open class Surely {
        @Compensable(compensationMethod = "undo", compensateOnException = true)
        open suspend fun book() {}

        open suspend fun undo() {}
    }

    open class InThread {
        @Transactional
        @Compensable(compensationMethod = "undo", fenced = false)
        open suspend fun book() {}

        open suspend fun undo() {}
    }

    open class Fenced {
        @Compensable(compensationMethod = "undo")
        open fun book() {}

        open suspend fun undo() {}
    }

    open class Promising {
        @SagaStart
        open suspend fun book(): Mono<String> = Mono.empty()
    }

    open class Joining {
        @SagaStart(propagation = SagaPropagation.REQUIRED)
        open suspend fun book() {}
    }

    open class Repeating {
        @Compensable(compensationMethod = "undo", fenced = false, forwardRetries = 1)
        open fun book(): Flow<String> = emptyFlow()

        open fun undo() {}
    }

    open class Misfit {
        @Compensable(compensationMethod = "undo", fenced = false)
        open suspend fun book(guest: String): Int = 1

        open suspend fun undo(guest: Int) {}
    }

    @Test
    fun each_with_a_sentence() {
        refused<Final>("Final.book() is @SagaStart but")
        refused<Surely>("Surely.book() says compensateOnException, but is a suspend function: that it began is noted nowhere")
        refused<InThread>("InThread.book() is a suspend function, but its transaction is one of a thread")
        refused<Fenced>("Fenced.undo() is a compensation and a suspend function: it returns before its work is done")
        refused<Promising>("Promising.book() is @SagaStart and a suspend function that returns a Mono")
        refused<Joining>("Joining.book() has propagation REQUIRED, but is a suspend function")
        refused<Repeating>("Repeating.book() has forwardRetries, but returns a Flow")
        refused<Misfit>("The compensation of StartUpTest.Misfit.book(String) must be one of undo(String), undo(String, Integer), undo()")
    }

    private inline fun <reified T : Any> refused(sentence: String) {
        assertThatThrownBy {
            SpringApplicationBuilder(Empty::class.java, T::class.java)
                .web(WebApplicationType.NONE)
                .logStartupInfo(false)
                .run()
                .close()
        }
            .hasStackTraceContaining(sentence)
    }
}
