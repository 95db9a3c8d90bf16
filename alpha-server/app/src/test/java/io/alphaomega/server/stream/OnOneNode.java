package io.alphaomega.server.stream;

import io.alphaomega.server.saga.FaultyRepository;
import io.alphaomega.server.saga.TestNode;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** Tests with omegas that are connected to one node, on a store that fails where it is told to. */
abstract class OnOneNode {
    static FaultyRepository store;
    static TestAlpha alpha;

    final String saga = UUID.randomUUID().toString();
    final String service = "hotel-" + saga;
    private final List<TestOmega> omegas = new ArrayList<>();

    @BeforeAll
    static void start() {
        store = new FaultyRepository();
        alpha = new TestAlpha(store, TestNode.alone());
    }

    @AfterAll
    static void stop() {
        store.releaseAll();
        alpha.close();
    }

    @BeforeEach
    void heal() {
        store.down = false;
        store.onLoad = loaded -> loaded;
        store.releaseAll();
    }

    @AfterEach
    void disconnect() {
        omegas.forEach(TestOmega::close);
    }

    /** An instance of the service, connected. */
    TestOmega omega(String instance) {
        return omega(service, instance);
    }

    TestOmega omega(String service, String instance) {
        return closedLater(TestOmega.welcomed(alpha.server.port(), service, instance));
    }

    /** Closes it after the test. */
    TestOmega closedLater(TestOmega omega) {
        omegas.add(omega);
        return omega;
    }
}
