package io.alphaomega.omega.kotlin

import io.alphaomega.omega.Compensable
import io.alphaomega.omega.SagaStart
import io.alphaomega.omega.test.OmegaAssertions.assertThat
import io.alphaomega.omega.test.OmegaTest
import io.alphaomega.omega.test.TestAlpha
import io.r2dbc.h2.H2ConnectionFactory
import io.r2dbc.spi.ConnectionFactory
import java.time.Duration
import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.Test
import org.springframework.beans.factory.annotation.Autowired
import org.springframework.boot.SpringBootConfiguration
import org.springframework.boot.autoconfigure.EnableAutoConfiguration
import org.springframework.boot.test.context.SpringBootTest
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Import
import org.springframework.r2dbc.connection.R2dbcTransactionManager
import org.springframework.r2dbc.core.DatabaseClient
import org.springframework.r2dbc.core.await
import org.springframework.r2dbc.core.awaitSingle
import org.springframework.stereotype.Service
import org.springframework.transaction.annotation.EnableTransactionManagement
import org.springframework.transaction.annotation.Transactional

/** Suspend functions in transactions of R2DBC's: what becomes of one is what alpha is told of the branch. */
@SpringBootTest(classes = [TransactionTest.Shopping::class], webEnvironment = WebEnvironment.NONE)
@OmegaTest
class TransactionTest {
    @Autowired
    private lateinit var shop: Shop

    @Autowired
    private lateinit var stock: Stock

    @Autowired
    private lateinit var alpha: TestAlpha

    @SpringBootConfiguration
    @EnableAutoConfiguration(exclude = [DataSourceAutoConfiguration::class])
    @EnableTransactionManagement
    @Import(Stock::class, Shop::class)
    class Shopping {
        @Bean
        fun connections(): ConnectionFactory = H2ConnectionFactory.inMemory("stock")

        @Bean
        fun transactions(connections: ConnectionFactory) = R2dbcTransactionManager(connections)

        @Bean
        fun database(connections: ConnectionFactory) = DatabaseClient.create(connections)
    }

    @Service
    class Stock(private val database: DatabaseClient) {
        init {
            runBlocking {
                database.sql("create table orders (item varchar(100))").await()
                database.sql("create table released (item varchar(100))").await()
            }
        }

        @Transactional
        @Compensable(compensationMethod = "release")
        suspend fun reserve(item: String) {
            delay(1)
        }

        @Transactional
        suspend fun release(item: String) {
            delay(1)
            database.sql("insert into released values (:item)").bind("item", item).await()
        }

        @Transactional
        @Compensable(compensationMethod = "undo", fenced = false)
        suspend fun order(item: String) {
            database.sql("insert into orders values (:item)").bind("item", item).await()
            delay(1)
            check(item != "nothing") { "no such item" }
        }

        @Transactional
        suspend fun undo(item: String) {
            database.sql("delete from orders where item = :item").bind("item", item).await()
        }

        suspend fun ordered() = count("orders")

        suspend fun released() = count("released")

        private suspend fun count(table: String): Long =
            database.sql("select count(*) from $table").map { row -> row.get(0) as Long }.awaitSingle()
    }

    @Service
    class Shop(private val stock: Stock) {
        @SagaStart
        suspend fun sellNothing(item: String) {
            stock.reserve(item)
            error("changed my mind")
        }

        @SagaStart
        suspend fun sell(vararg items: String) {
            for (item in items) stock.order(item)
        }
    }

    @Test
    fun behind_the_fence_a_compensation_that_comes_again_is_done_once(): Unit = runBlocking {
        alpha.repeat("TransactionTest.Stock.release")
        assertThatThrownBy { runBlocking { shop.sellNothing("pen") } }.hasMessage("changed my mind")
        assertThat(alpha.saga()).compensated("TransactionTest.Stock.reserve")
        alpha.advance(Duration.ZERO) // The second answer is there then, too.
        assertThat(stock.released()).isEqualTo(1)
    }

    @Test
    fun what_was_rolled_back_has_left_nothing_and_what_was_committed_is_undone(): Unit = runBlocking {
        shop.sell("pen")
        assertThat(alpha.saga()).committed()
        assertThat(stock.ordered()).isEqualTo(1)

        assertThatThrownBy { runBlocking { shop.sell("ink", "nothing") } }.hasMessage("no such item")
        assertThat(alpha.sagas().last()).compensated("TransactionTest.Stock.order")
        assertThat(stock.ordered()).isEqualTo(1)
    }
}
