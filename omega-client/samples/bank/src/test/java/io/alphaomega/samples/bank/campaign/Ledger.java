package io.alphaomega.samples.bank.campaign;

import io.alphaomega.samples.bank.checker.History.Effect;
import io.alphaomega.samples.bank.checker.History.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The recorder's own business: what it did, undid and confirmed, once each, as a fence would have it. */
final class Ledger {
    private final List<Effect> effects = new ArrayList<>();
    private final Set<String> over = new HashSet<>();
    private final Set<String> done = new HashSet<>();

    /** Whether the branch may be done; not once it was undone. */
    synchronized boolean perform(String saga, String branch) {
        if (over.contains(branch)) return false;
        if (done.add(branch)) write(saga, branch, Kind.FORWARD);
        return true;
    }

    /** Whether it succeeds: undoing what was never done does. */
    synchronized boolean call(String saga, String branch, Kind kind) {
        boolean known = done.contains(branch);
        if (kind == Kind.CONFIRMATION && !known) return false;
        if (over.add(branch) && known) write(saga, branch, kind);
        return true;
    }

    private void write(String saga, String branch, Kind kind) {
        effects.add(new Effect(Recorder.SERVICE, saga, branch, kind, null, 0, effects.size()));
    }

    synchronized List<Effect> effects() {
        return List.copyOf(effects);
    }
}
