package io.alphaomega.omega.kotlin

import io.alphaomega.omega.Compensable
import io.alphaomega.omega.SagaStart
import io.alphaomega.omega.test.OmegaAssertions.assertThat
import io.alphaomega.omega.test.OmegaTest
import io.alphaomega.omega.test.TestAlpha
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.awaitility.Awaitility.await
import org.junit.jupiter.api.Test
import org.springframework.beans.factory.annotation.Autowired
import org.springframework.boot.SpringBootConfiguration
import org.springframework.boot.WebApplicationType
import org.springframework.boot.autoconfigure.EnableAutoConfiguration
import org.springframework.boot.builder.SpringApplicationBuilder
import org.springframework.boot.test.context.SpringBootTest
import org.springframework.context.annotation.Import
import org.springframework.test.context.ContextConfiguration
import java.util.concurrent.CopyOnWriteArrayList

/** What Kotlin's compiler makes of ordinary classes. */
@ContextConfiguration(classes = [OrdinaryClassesTest.Service::class])
@SpringBootTest
@OmegaTest
class OrdinaryClassesTest {
    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import(Trips::class, CarStep::class, ShortDesk::class, HiddenDesk::class, ValueDesk::class, LoudBell::class, Bell::class)
    class Service

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @OmegaTest
    class Empty

    open class Trips {
        @SagaStart
        open fun plan(business: Runnable) = business.run()
    }

    data class CarOrder(val car: String, val days: Int = 1)

    interface Step<T> {
        fun run(order: T): Any

        fun undo(order: T)
    }

    /** Of another parameter type and another return type than its interface: the compiler adds bridges for both. */
    open class CarStep : Step<CarOrder> {
        open val said = CopyOnWriteArrayList<String>()

        @Compensable(compensationMethod = "undo", fenced = false)
        override fun run(order: CarOrder): String {
            said += "$PREFIX${order.car}"
            return order.car
        }

        override fun undo(order: CarOrder) {
            said += "no $PREFIX${order.car}"
        }

        companion object {
            private const val PREFIX = "car "
        }
    }

    /** Its callers may leave something out. */
    open class ShortDesk {
        open val said = CopyOnWriteArrayList<String>()

        @Compensable(compensationMethod = "cancel", fenced = false)
        open fun book(guest: String, nights: Int = 2) = say("$nights nights for $guest")

        open fun cancel(guest: String, nights: Int) = say("no $nights nights for $guest")

        private fun say(what: String) = listOf(what).forEach { said += it }
    }

    /** Seen in its module only. */
    internal open class HiddenDesk {
        open val said = CopyOnWriteArrayList<String>()

        @Compensable(compensationMethod = "cancel", fenced = false)
        internal open fun book(guest: String) {
            said += guest
        }

        internal open fun cancel(guest: String) {
            said += "no $guest"
        }
    }

    @JvmInline
    value class Guest(val name: String)

    open class ValueDesk {
        open val said = CopyOnWriteArrayList<String>()

        @Compensable(compensationMethod = "cancel", fenced = false)
        open fun book(guest: Guest) {
            said += guest.name
        }

        open fun cancel(guest: Guest) {
            said += "no ${guest.name}"
        }
    }

    interface Ringing {
        fun ring()
    }

    open class Bell : Ringing {
        @Compensable(compensationMethod = "silence", fenced = false)
        override fun ring() {}

        open fun silence() {}
    }

    /** Delegates to a branch, and is none. */
    open class LoudBell(bell: Bell) : Ringing by bell

    @Autowired lateinit var trips: Trips

    @Autowired lateinit var alpha: TestAlpha

    @Autowired lateinit var step: CarStep

    @Autowired lateinit var shortDesk: ShortDesk

    @Autowired internal lateinit var hidden: HiddenDesk

    @Autowired lateinit var values: ValueDesk

    @Autowired lateinit var loud: LoudBell

    private fun failAfter(business: Runnable) {
        assertThatThrownBy {
            trips.plan {
                business.run()
                error("too bad")
            }
        }
            .hasMessage("too bad")
    }

    @Test
    fun a_step_with_bridges_is_undone() {
        failAfter { step.run(CarOrder("van")) }

        assertThat(alpha.saga()).compensated("OrdinaryClassesTest.CarStep.run")
        assertThat(step.said).containsExactly("car van", "no car van")
    }

    @Test
    fun a_call_with_a_default_argument_is_a_branch_with_that_argument() {
        failAfter { shortDesk.book("Ada") }

        assertThat(alpha.saga()).compensated("OrdinaryClassesTest.ShortDesk.book")
        assertThat(shortDesk.said).containsExactly("2 nights for Ada", "no 2 nights for Ada")
    }

    @Test
    fun functions_whose_names_the_compiler_changes_find_their_compensations() {
        failAfter { hidden.book("Ada") }
        failAfter { values.book(Guest("Eve")) }

        await().untilAsserted { assertThat(hidden.said).containsExactly("Ada", "no Ada") }
        await().untilAsserted { assertThat(values.said).containsExactly("Eve", "no Eve") }
    }

    @Test
    fun what_delegates_to_a_branch_is_none() {
        failAfter { loud.ring() }

        assertThat(alpha.saga()).compensated("OrdinaryClassesTest.Bell.ring")
    }

    // ---- what does not work

    open class DefaultsOfItsOwn {
        @SagaStart
        open fun sell() = order()

        @Compensable(compensationMethod = "undo", fenced = false)
        open fun order(what: String = "book") {}

        open fun undo(what: String) {}
    }

    open class LambdaOfItsOwn {
        @SagaStart
        open fun sell() = Runnable { order("book") }.run()

        @Compensable(compensationMethod = "undo", fenced = false)
        open fun order(what: String) {}

        open fun undo(what: String) {}
    }

    open class ObjectOfItsOwn {
        @SagaStart
        open fun sell() {
            val seller = object : Runnable {
                override fun run() = order("book")
            }
            seller.run()
        }

        @Compensable(compensationMethod = "undo", fenced = false)
        open fun order(what: String) {}

        open fun undo(what: String) {}
    }

    interface Twice {
        @Compensable(compensationMethod = "undo", fenced = false)
        fun order(what: String)

        fun undo(what: String)

        fun orderTwice() {
            order("book")
            order("book")
        }
    }

    open class OrdersTwice : Twice {
        override fun order(what: String) {}

        override fun undo(what: String) {}
    }

    @Test
    fun calls_of_the_own_object_are_found_in_what_the_compiler_makes_of_them() {
        refused("order(String) of its own object", DefaultsOfItsOwn::class.java)
        refused("sell calls OrdinaryClassesTest.LambdaOfItsOwn.order(String)", LambdaOfItsOwn::class.java)
        refused("OrdinaryClassesTest.ObjectOfItsOwn.order(String) of its own object", ObjectOfItsOwn::class.java)
        refused("orderTwice calls OrdinaryClassesTest.OrdersTwice.order(String)", OrdersTwice::class.java)
    }

    @Test
    fun two_branches_of_one_call_by_delegation_are_refused() {
        refused("are branches by one annotation, that of OrdinaryClassesTest.Shared.order", Sharing::class.java, Delegated::class.java)
    }

    interface Shared {
        @Compensable(compensationMethod = "undo", fenced = false)
        fun order(what: String)

        fun undo(what: String)
    }

    open class Sharing : Shared {
        override fun order(what: String) {}

        override fun undo(what: String) {}
    }

    open class Delegated(real: Sharing) : Shared by real

    private fun refused(sentence: String, vararg beans: Class<*>) {
        assertThatThrownBy {
            SpringApplicationBuilder(Empty::class.java, *beans)
                .web(WebApplicationType.NONE)
                .logStartupInfo(false)
                .run()
                .close()
        }
            .hasStackTraceContaining(sentence)
    }
}
