package io.alphaomega.server.http;

import io.alphaomega.repository.kit.InMemorySagaRepository;
import io.alphaomega.server.node.Nodes;
import io.alphaomega.server.saga.Sagas;
import io.alphaomega.server.saga.UnreadableSagas;
import io.alphaomega.server.search.SagaSearch;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;

/** What the REST API works with where a test has it alone. */
@TestConfiguration
class RestBeans {
    @Bean
    InMemorySagaRepository repository() {
        return new InMemorySagaRepository();
    }

    @Bean
    SagaSearch search(InMemorySagaRepository repository) {
        return new SagaSearch.InJournal(repository);
    }

    @Bean
    UnreadableSagas unreadable(Clock clock) {
        return new UnreadableSagas(clock);
    }

    @Bean
    Nodes nodes() {
        return new Nodes(Clock.systemUTC());
    }

    @Bean
    Clock clock() {
        return Clock.fixed(WrittenSaga.BEGUN.plus(Duration.ofHours(1)), ZoneOffset.UTC);
    }

    @Bean
    Sagas sagas() {
        return new Sagas();
    }
}
