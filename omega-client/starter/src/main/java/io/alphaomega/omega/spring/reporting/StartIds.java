package io.alphaomega.omega.spring.reporting;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The names of starts of sagas that may begin only once. Where alpha's answer was not heard, nothing has run, and perhaps the
 * saga has begun: a further try of this process goes on under the same name, instead of being told that the saga was begun.
 */
final class StartIds {
    /** Older ones are told that their saga is open, and in the end that it is aborted: true as well, and no more than that. */
    private static final int UNANSWERED_MAX = 1_000;

    private final SagaIds ids;
    private final Map<String, String> unanswered = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
            return size() > UNANSWERED_MAX;
        }
    };

    StartIds(SagaIds ids) {
        this.ids = ids;
    }

    /** The name of a start of that saga; nobody else has it. */
    String of(String saga) {
        synchronized (unanswered) {
            String before = unanswered.remove(saga);
            return before == null ? ids.next() : before;
        }
    }

    /** @param start empty if the saga is not of that kind */
    void unanswered(String saga, String start) {
        if (start.isEmpty()) return;
        synchronized (unanswered) {
            unanswered.put(saga, start);
        }
    }
}
