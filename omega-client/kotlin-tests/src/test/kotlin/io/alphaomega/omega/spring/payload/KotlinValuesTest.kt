package io.alphaomega.omega.spring.payload

import com.fasterxml.jackson.annotation.JsonSubTypes
import com.fasterxml.jackson.annotation.JsonTypeInfo
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.Test
import org.springframework.core.ParameterizedTypeReference
import java.lang.reflect.Type
import java.time.Instant
import java.time.LocalDate
import java.util.UUID
import kotlin.time.Duration.Companion.seconds

/** Values of Kotlin's classes: each comes back as it was, or is refused; and what another build has written. */
class KotlinValuesTest {
    private val json = StrictJson()

    data class Stay(
        val rooms: Int,
        val wish: String?,
        val guests: List<String> = listOf(),
    )

    @JvmInline
    value class Guest(
        val name: String,
    )

    @JvmInline
    value class Cents(
        val amount: Long,
    )

    data class Price(
        val cents: Cents,
        val payer: Guest,
        val gift: Guest?,
    )

    data class AllDefaults(
        val key: String = "k",
        val many: Int = 1,
        val at: Instant = Instant.EPOCH,
    )

    class Plain(
        var name: String,
        private val hidden: UUID,
    ) {
        var later: String? = null
        lateinit var needed: String
        val computed by lazy { name.length }

        val upper get() = name.uppercase()
    }

    class Simple(
        var name: String,
        private val hidden: UUID,
    ) {
        var later: String? = null
        lateinit var needed: String
        val upper get() = name.uppercase()

        fun set() = apply {
            later = "l"
            needed = hidden.toString()
        }
    }

    enum class Colour(
        val code: Int,
    ) {
        RED(1),
        BLUE(2),
    }

    sealed class Untold {
        data class One(
            val a: Int,
        ) : Untold()
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
    @JsonSubTypes(JsonSubTypes.Type(Card::class), JsonSubTypes.Type(Cash::class))
    sealed interface Told

    data class Card(
        val number: String,
        val holder: String? = null,
    ) : Told

    data object Cash : Told

    data class Loose(
        val any: Any,
        val more: Map<String, Any?>,
    )

    data class Key(
        val row: String,
        val number: Int,
    )

    data class Nullables(
        val int: Int?,
        val char: Char?,
        val items: List<String?>,
        val bytes: ByteArray?,
    )

    data class Unsigned(
        val small: UInt,
        val big: ULong,
    )

    data class Ranges(
        val from: Int,
        val times: List<LocalDate>,
        val duration: kotlin.time.Duration,
    )

    object Single {
        var state = "s"
    }

    enum class Named(
        @get:com.fasterxml.jackson.annotation.JsonValue val code: String,
    ) {
        ONE("1"),
        TWO("2"),
    }

    private fun comesBack(
        type: Type,
        value: Any,
    ) {
        ReadBack(json, json, true).written("Desk.book", 0, type, value) { listOf(type) }
        val back = json.decode(type, json.encode(type, value))
        assertThat(back).usingRecursiveComparison().isEqualTo(value)
    }

    private fun refused(
        type: Type,
        value: Any,
    ) {
        if (json.losses(type).unreadable().isNotEmpty()) return
        assertThatThrownBy { ReadBack(json, json, true).written("Desk.book", 0, type, value) { listOf(type) } }
            .isInstanceOf(RuntimeException::class.java)
    }

    @Test
    fun `a data class comes back`() {
        comesBack(Stay::class.java, Stay(2, null))
        comesBack(Stay::class.java, Stay(2, "sea", listOf("Ada")))
        comesBack(AllDefaults::class.java, AllDefaults())
        comesBack(AllDefaults::class.java, AllDefaults("", 0, Instant.MAX))
        comesBack(object : ParameterizedTypeReference<Map<Colour, List<Stay>>>() {}.type, mapOf(Colour.RED to listOf(Stay(1, ""))))
    }

    /** Their constructors are private to bytecode, and so are those that take one. */
    @Test
    fun `a value class within a value is refused`() {
        refused(Guest::class.java, Guest("Ada"))
        refused(Price::class.java, Price(Cents(Long.MAX_VALUE), Guest("Ada"), null))
        refused(object : ParameterizedTypeReference<Map<String, List<Guest>>>() {}.type, mapOf("a" to listOf(Guest("Ada"))))
    }

    /** Kotlin's library is compiled without the names of parameters. */
    @Test
    fun `a pair is refused`() {
        refused(object : ParameterizedTypeReference<Pair<Long, String>>() {}.type, 1L to "a")
    }

    @Test
    fun `a class comes back with all of its state or is refused`() {
        comesBack(Simple::class.java, Simple("n", UUID.randomUUID()).set())
        refused(Plain::class.java, Plain("n", UUID.randomUUID()))
        comesBack(Colour::class.java, Colour.BLUE)
        refused(Untold::class.java, Untold.One(1))
        comesBack(object : ParameterizedTypeReference<List<Told>>() {}.type, listOf(Card("1"), Card("1", "Ada")))
    }

    @Test
    fun `what the type does not say comes back if json can say it`() {
        comesBack(Loose::class.java, Loose("text", mapOf("a" to 1, "b" to null)))
        refused(Loose::class.java, Loose(1L, mapOf()))
        refused(Loose::class.java, Loose("text", mapOf("a" to LocalDate.EPOCH)))
        refused(Loose::class.java, Loose(Key("A", 1), mapOf()))
        comesBack(Nullables::class.java, Nullables(null, 'c', listOf("a", null), byteArrayOf(1)))
    }

    @Test
    fun `what is no class to bytecode comes back or is refused`() {
        comesBackOrIsRefused(Unsigned::class.java, Unsigned(UInt.MAX_VALUE, ULong.MAX_VALUE))
        comesBackOrIsRefused(Ranges::class.java, Ranges(1, listOf(LocalDate.EPOCH), 90.seconds))
        comesBackOrIsRefused(Single::class.java, Single)
        comesBackOrIsRefused(object : ParameterizedTypeReference<Triple<String, Int, Long>>() {}.type, Triple("a", 1, 2L))
        comesBackOrIsRefused(IntRange::class.java, 1..3)
        comesBackOrIsRefused(object : ParameterizedTypeReference<Result<String>>() {}.type, Result.success("a"))
        comesBackOrIsRefused(object : ParameterizedTypeReference<Lazy<String>>() {}.type, lazyOf("a"))
        comesBackOrIsRefused(object : ParameterizedTypeReference<List<String>>() {}.type, List(2) { "a" })
        comesBackOrIsRefused(object : ParameterizedTypeReference<List<String>>() {}.type, emptyList<String>())
        comesBackOrIsRefused(object : ParameterizedTypeReference<Map<String, String>>() {}.type, mapOf("a" to "b").withDefault { "" })
        comesBackOrIsRefused(object : ParameterizedTypeReference<ArrayDeque<String>>() {}.type, ArrayDeque(listOf("a", "b")))
    }

    @Test
    fun `keys come back or are refused`() {
        comesBack(object : ParameterizedTypeReference<Map<Named, Named>>() {}.type, mapOf(Named.TWO to Named.ONE))
        comesBack(object : ParameterizedTypeReference<Map<LocalDate, UUID>>() {}.type, mapOf(LocalDate.EPOCH to UUID.randomUUID()))
        refused(object : ParameterizedTypeReference<Map<Key, Int>>() {}.type, mapOf(Key("A", 1) to 1))
        refused(object : ParameterizedTypeReference<Map<Guest, Int>>() {}.type, mapOf(Guest("Ada") to 1))
    }

    /** Whatever it is, it is not another value. */
    private fun comesBackOrIsRefused(
        type: Type,
        value: Any,
    ) {
        if (json.losses(type).unreadable().isNotEmpty()) return
        try {
            ReadBack(json, json, true).written("Desk.book", 0, type, value) { listOf(type) }
        } catch (e: RuntimeException) {
            return
        }
        comesBack(type, value)
    }

    // ---- what another build has written

    data class Gained(
        val id: String,
        val wish: String?,
        val rooms: Int = 0,
        val nights: Int = rooms + 1,
        val guest: String = "nobody",
        val notes: List<String> = listOf("none"),
    )

    private fun reads(
        type: Class<*>,
        written: String,
        value: Any,
    ) = assertThat(json.decode(type, written.toByteArray())).isEqualTo(value)

    @Test
    fun `what has a default may be missing`() {
        reads(Gained::class.java, """{"id":"1"}""", Gained("1", null))
        reads(Gained::class.java, """{"id":"1","wish":"sea","rooms":4}""", Gained("1", "sea", 4, 5))
        reads(Gained::class.java, """{"id":"1","guest":"Ada","notes":[]}""", Gained("1", null, guest = "Ada", notes = listOf()))
        reads(AllDefaults::class.java, """{"many":3}""", AllDefaults(many = 3))
        reads(Card::class.java, """{"@type":"KotlinValuesTest${'$'}Card","number":"1"}""", Card("1"))
        assertThatThrownBy { json.decode(Gained::class.java, """{"wish":"sea"}""".toByteArray()) }
            .hasMessageContaining("'id' of KotlinValuesTest.Gained is missing")
        assertThatThrownBy { json.decode(Gained::class.java, """{"id":"1","old":1}""".toByteArray()) }
            .hasMessageContaining("KotlinValuesTest.Gained has no property 'old'")
    }
}
