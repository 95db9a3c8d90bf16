package io.alphaomega.omega.context;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.springframework.core.ReactiveAdapterRegistry;

/** What is returned before the work is done: futures, and publishers of any library that Spring knows. */
public final class Promises {
    private Promises() {}

    /** Whether there may be work to be done when something of that type has been returned. */
    public static boolean are(Class<?> type) {
        return Future.class.isAssignableFrom(type)
                || CompletionStage.class.isAssignableFrom(type)
                || ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
    }
}
