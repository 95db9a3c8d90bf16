package io.alphaomega.omega.docs

import io.alphaomega.omega.context.SagaContextElement
import io.alphaomega.omega.Compensable
import io.alphaomega.omega.SagaStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.runBlocking
import org.springframework.stereotype.Service
import org.springframework.web.reactive.function.client.WebClient
import org.springframework.web.reactive.function.client.awaitBody

// The code of docs/kotlin.md, word for word, so that it compiles; PagesTest compares them.

data class TripOrder(val rooms: Int)

interface HotelClient {
    suspend fun hold(trip: String, rooms: Int): String

    suspend fun release(trip: String, rooms: Int)
}

interface CarDesk {
    suspend fun book(trip: String): String
}

@Service
class TripService(private val desk: RoomDesk, builder: WebClient.Builder) {
    private val cars = builder.baseUrl("http://cars").build()

    /** Returns only if the saga is committed. An exception aborts it, and so does a cancellation. */
    @SagaStart(businessKey = "#trip")
    suspend fun book(trip: String, order: TripOrder): String {
        val held = desk.hold(trip, order.rooms)
        val car = cars.post().uri("/bookings").bodyValue(order).retrieve().awaitBody<String>()
        return "$held, $car"
    }
}

@Service
class RoomDesk(private val hotel: HotelClient) {
    /** No fence guards it: the hotel takes a hold of the same name once. */
    @Compensable(compensationMethod = "release", fenced = false, cleanOnException = true)
    suspend fun hold(trip: String, rooms: Int): String = hotel.hold(trip, rooms)

    suspend fun release(trip: String, rooms: Int) = hotel.release(trip, rooms)
}

class Evening(private val desk: RoomDesk, private val carDesk: CarDesk) {
    @SagaStart
    fun book(trip: String) = runBlocking(Dispatchers.IO + SagaContextElement.current()) {
        val room = async { desk.hold(trip, 2) }
        val car = async { carDesk.book(trip) }
        "${room.await()}, ${car.await()}"
    }
}
