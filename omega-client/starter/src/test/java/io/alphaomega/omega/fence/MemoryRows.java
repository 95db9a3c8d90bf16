package io.alphaomega.omega.fence;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A database of one table in memory, for one transaction at a time. It notes each step of the rules and its answer. */
final class MemoryRows {
    private final boolean readsLatest;
    private Map<String, String> reasons = new TreeMap<>();
    private Map<String, byte[]> results = new TreeMap<>();
    private int bookings;

    final List<String> steps = new ArrayList<>();

    /** @param readsLatest as {@link FenceRules#readsLatest}; here the rules see everything in any case */
    MemoryRows(boolean readsLatest) {
        this.readsLatest = readsLatest;
    }

    Participant.Transaction open() {
        return new Open();
    }

    private final class Open implements Participant.Transaction {
        private final Map<String, String> reasonsBefore = new TreeMap<>(reasons);
        private final Map<String, byte[]> resultsBefore = new TreeMap<>(results);
        private final int bookingsBefore = bookings;

        private FenceRules rules(String branch) {
            return new FenceRules("saga", branch, readsLatest);
        }

        private <V> V decided(Step<V> decision) {
            Step<V> step = decision;
            while (!(step instanceof Step.Done<V> done)) step = next(step);
            return done.verdict();
        }

        private <V> Step<V> next(Step<V> step) {
            if (step instanceof Step.Read<V> read) {
                steps.add("read " + read.row().op());
                return read.then()
                        .apply(Optional.ofNullable(results.get(read.row().op())));
            }
            if (step instanceof Step.Store<V> store) {
                boolean stored = reasons.containsKey(store.row().op());
                if (stored) results.put(store.row().op(), store.result());
                return store.then().apply(noted("store " + store.row().op(), stored));
            }
            Step.Ask<V> ask = (Step.Ask<V>) step;
            FenceRow row = ask.row();
            return ask.then()
                    .apply(
                            switch (ask.verb()) {
                                case INSERT ->
                                    noted(
                                            "insert " + FenceStory.row(row.op(), row.reason()),
                                            reasons.putIfAbsent(row.op(), row.reason()) == null);
                                case FIND ->
                                    noted("find " + row.op(), row.reason().equals(reasons.get(row.op())));
                                case DELETE -> noted("delete " + row.op(), reasons.remove(row.op()) != null);
                            });
        }

        private boolean noted(String step, boolean answer) {
            steps.add(step + ": " + (answer ? "yes" : "no"));
            return answer;
        }

        @Override
        public Forward forward(String saga, String branch) {
            return decided(rules(branch).forward());
        }

        @Override
        public Forward again(String branch) {
            return decided(rules(branch).again());
        }

        @Override
        public void storeResult(String branch, byte[] result) {
            boolean unused = decided(rules(branch).storeResult(result));
        }

        @Override
        public void begin(String branch) {
            boolean unused = decided(rules(branch).begin());
        }

        @Override
        public boolean bar(String branch) {
            return decided(rules(branch).bar());
        }

        @Override
        public Compensation compensation(String branch, boolean forwardEnded) {
            return decided(rules(branch).compensation(forwardEnded));
        }

        @Override
        public Confirmation confirmation(String branch, boolean fenced) {
            return decided(rules(branch).confirmation(fenced));
        }

        @Override
        public boolean sequel(String branch) {
            return decided(rules(branch).sequel());
        }

        @Override
        public int purge(Instant before, int limit) {
            throw new UnsupportedOperationException("No story purges.");
        }

        @Override
        public void book(String branch) {
            bookings++;
        }

        @Override
        public void cancel(String branch) {
            bookings--;
        }

        @Override
        public int count(String sql, String branch) {
            return bookings;
        }

        @Override
        public Map<String, Found.Row> rows(String branch) {
            Map<String, Found.Row> rows = new TreeMap<>();
            reasons.forEach((op, reason) -> rows.put(op, new Found.Row(reason, 0)));
            return rows;
        }

        @Override
        public Optional<byte[]> result(String branch) {
            return Optional.ofNullable(results.get(FenceRow.FORWARD));
        }

        @Override
        public void commit() {}

        @Override
        public void rollback() {
            reasons = reasonsBefore;
            results = resultsBefore;
            bookings = bookingsBefore;
        }
    }
}
