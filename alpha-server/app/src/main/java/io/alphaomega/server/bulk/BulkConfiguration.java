package io.alphaomega.server.bulk;

import io.alphaomega.server.repository.GroupCommit;
import io.alphaomega.server.saga.Sagas;
import io.alphaomega.server.saga.StoreThreads;
import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts together what carries out bulk orders. */
@Configuration(proxyBeanMethods = false)
class BulkConfiguration {
    @Bean
    BulkOrders bulkOrders(Sagas sagas, GroupCommit repository, Clock clock) {
        return new BulkOrders(sagas, repository, clock, new StoreThreads());
    }
}
