package io.alphaomega.omega.kotlin

import io.alphaomega.omega.Compensable
import io.alphaomega.omega.SagaStart
import io.alphaomega.omega.test.OmegaAssertions.assertThat
import io.alphaomega.omega.test.OmegaTest
import io.alphaomega.omega.test.TestAlpha
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import org.springframework.boot.SpringBootConfiguration
import org.springframework.boot.autoconfigure.EnableAutoConfiguration
import org.springframework.boot.builder.SpringApplicationBuilder
import org.springframework.context.ConfigurableApplicationContext
import org.springframework.context.annotation.Import
import org.springframework.core.env.Environment
import org.springframework.stereotype.Service
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.PostMapping
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController
import org.springframework.web.reactive.function.client.WebClient
import org.springframework.web.reactive.function.client.awaitBody
import java.util.concurrent.ConcurrentHashMap

/** Two services in Kotlin over WebFlux: suspend functions as controllers, sagas and branches, and WebClient's awaitBody. */
class WebTest {
    private val alpha = TestAlpha()
    private val hotel = start(Hotel::class.java, "hotel", "")
    private val tours = start(Tours::class.java, "tours", "http://localhost:${port(hotel)}")

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @OmegaTest
    @Import(Rooms::class, HotelController::class)
    class Hotel

    @Service
    class Rooms {
        /** By guest: the saga that the guest's room was held in. */
        val held = ConcurrentHashMap<String, String>()
        val released = ConcurrentHashMap.newKeySet<String>()

        @Compensable(compensationMethod = "release", fenced = false)
        suspend fun hold(guest: String): String {
            delay(1)
            held[guest] = here()
            return here()
        }

        suspend fun release(guest: String) {
            check(held[guest] == here())
            released += guest
        }
    }

    @RestController
    class HotelController(private val rooms: Rooms) {
        @PostMapping("/rooms")
        suspend fun hold(@RequestParam guest: String): String {
            delay(1)
            return rooms.hold(guest)
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @OmegaTest
    @Import(TourDesk::class, TourController::class)
    class Tours

    @Service
    class TourDesk(builder: WebClient.Builder, environment: Environment) {
        private val hotel = builder.baseUrl(environment.getRequiredProperty("hotel")).build()

        @SagaStart
        suspend fun book(guest: String): String {
            val saga = here()
            val first = hold(guest)
            delay(1)
            val second = hold("friend of $guest")
            check(setOf(saga, first, second, here()).size == 1)
            check(!guest.startsWith("refused"))
            return saga
        }

        private suspend fun hold(guest: String): String =
            hotel.post().uri("/rooms?guest={guest}", guest).retrieve().awaitBody()
    }

    @RestController
    class TourController(private val tours: TourDesk) {
        @GetMapping("/tours")
        suspend fun book(@RequestParam guest: String): String =
            try {
                tours.book(guest)
            } catch (refused: IllegalStateException) {
                "refused"
            }
    }

    private fun start(service: Class<*>, name: String, hotel: String): ConfigurableApplicationContext =
        SpringApplicationBuilder(service)
            .initializers({ it.beanFactory.registerSingleton("alpha", alpha) })
            .run("--spring.application.name=$name", "--server.port=0", "--hotel=$hotel")

    private fun port(service: ConfigurableApplicationContext) =
        service.environment.getRequiredProperty("local.server.port")

    @AfterEach
    fun stop() {
        tours.close()
        hotel.close()
        alpha.close()
    }

    @Test
    fun many_sagas_at_once_are_each_in_both_services_and_in_no_other() {
        val client = WebClient.create("http://localhost:${port(tours)}")
        val answers = runBlocking(Dispatchers.IO) {
            (1..SAGAS)
                .map { if (it % 4 == 0) "refused $it" else "guest $it" }
                .map { guest ->
                    async { guest to client.get().uri("/tours?guest={guest}", guest).retrieve().awaitBody<String>() }
                }
                .awaitAll()
                .toMap()
        }

        val rooms = hotel.getBean(Rooms::class.java)
        assertThat(answers).hasSize(SAGAS)
        assertThat(answers.filterKeys { !it.startsWith("refused") }.values.toSet()).hasSize(SAGAS * 3 / 4)
        for ((guest, answer) in answers) {
            val saga = rooms.held.getValue(guest)
            assertThat(rooms.held["friend of $guest"]).isEqualTo(saga)
            if (guest.startsWith("refused")) {
                assertThat(answer).isEqualTo("refused")
                assertThat(alpha.saga(saga)).compensated("WebTest.Rooms.hold", "WebTest.Rooms.hold")
                assertThat(rooms.released).contains(guest, "friend of $guest")
            } else {
                assertThat(answer).isEqualTo(saga)
                assertThat(alpha.saga(saga)).committed()
            }
        }
        assertThat(rooms.released).hasSize(SAGAS / 2)
    }

    private companion object {
        const val SAGAS = 100
    }
}
