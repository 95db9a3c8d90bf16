package io.alphaomega.omega.kotlin

import io.alphaomega.omega.Compensable
import io.alphaomega.omega.SagaStart
import io.alphaomega.omega.test.OmegaAssertions.assertThat
import io.alphaomega.omega.test.OmegaTest
import io.alphaomega.omega.test.TestAlpha
import io.mockk.mockk
import io.mockk.spyk
import io.mockk.verify
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.Nested
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.extension.ExtendWith
import org.springframework.beans.factory.annotation.Autowired
import org.springframework.boot.autoconfigure.EnableAutoConfiguration
import org.springframework.boot.test.context.SpringBootTest
import org.springframework.boot.test.system.CapturedOutput
import org.springframework.boot.test.system.OutputCaptureExtension
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration
import org.springframework.context.annotation.Import
import org.springframework.test.util.AopTestUtils

/** Mocks and spies of MockK, which a test registers as beans: a mock takes part in nothing, a spy is the bean. */
class MockKTest {
    open class CarDesk {
        val said = mutableListOf<String>()

        @Compensable(compensationMethod = "cancel", fenced = false)
        open fun book(guest: String) {
            said += "car for $guest"
        }

        open fun cancel(guest: String) {
            said += "no car for $guest"
        }
    }

    interface BikeDesk {
        @Compensable(compensationMethod = "cancel", fenced = false)
        fun book(guest: String)

        fun cancel(guest: String)
    }

    open class Trips {
        @SagaStart
        open fun plan(business: Runnable) = business.run()
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Trips::class)
    class Mocks {
        @Bean
        fun car(): CarDesk = mockk(relaxed = true)

        @Bean
        fun bike(): BikeDesk = mockk(relaxed = true)
    }

    @Nested
    @SpringBootTest(classes = [Mocks::class], properties = ["spring.application.name=travel"])
    @OmegaTest
    @ExtendWith(OutputCaptureExtension::class)
    inner class Mocked {
        @Autowired
        lateinit var car: CarDesk

        @Autowired
        lateinit var bike: BikeDesk

        @Autowired
        lateinit var trips: Trips

        @Autowired
        lateinit var alpha: TestAlpha

        @Test
        fun `a mock takes part in nothing, and nothing is said`(output: CapturedOutput) {
            trips.plan {
                car.book("Ada")
                bike.book("Ada")
            }
            assertThat(alpha.sagas()).isEmpty()
            assertThat(output.toString()).doesNotContain("CarDesk", "BikeDesk")
            verify { AopTestUtils.getUltimateTargetObject<CarDesk>(car).book("Ada") }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Trips::class)
    class Spies {
        @Bean
        fun car(): CarDesk = spyk(CarDesk())
    }

    @Nested
    @SpringBootTest(classes = [Spies::class], properties = ["spring.application.name=travel"])
    @OmegaTest
    inner class Spied {
        @Autowired
        lateinit var car: CarDesk

        @Autowired
        lateinit var trips: Trips

        @Autowired
        lateinit var alpha: TestAlpha

        @Test
        fun `a spy takes part and is called back as the bean is`() {
            assertThatThrownBy {
                trips.plan {
                    car.book("Eve")
                    error("closed")
                }
            }.hasMessage("closed")
            assertThat(alpha.saga()).compensated("MockKTest.CarDesk.book")
            val target = AopTestUtils.getUltimateTargetObject<CarDesk>(car)
            verify { target.cancel("Eve") }
            assertThat(target.said).containsExactly("car for Eve", "no car for Eve")
        }
    }
}
