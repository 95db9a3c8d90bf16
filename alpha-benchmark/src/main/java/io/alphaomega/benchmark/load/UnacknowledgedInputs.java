package io.alphaomega.benchmark.load;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The inputs of one stream that were written and not acknowledged: a table whose places go by correlation. */
final class UnacknowledgedInputs {
    private final @Nullable UnacknowledgedInput[] places;
    private final int[] free;
    private int frees;
    private long tenants;

    UnacknowledgedInputs(int window) {
        places = new UnacknowledgedInput[window];
        free = new int[window];
        for (int place = 0; place < window; place++) free[place] = place;
        frees = window;
    }

    boolean hasRoom() {
        return frees > 0;
    }

    boolean isEmpty() {
        return frees == places.length;
    }

    /** Takes a place, whose correlation is the pending's from now on. */
    void add(UnacknowledgedInput pending) {
        int place = free[--frees];
        places[place] = pending;
        pending.correlation = ++tenants * places.length + place;
    }

    /** Null if it is not there any more. */
    @Nullable
    UnacknowledgedInput remove(long correlation) {
        int place = (int) Long.remainderUnsigned(correlation, places.length);
        UnacknowledgedInput found = places[place];
        if (found == null || found.correlation != correlation) return null;
        places[place] = null;
        free[frees++] = place;
        return found;
    }

    /** Takes all out, in the order in which they came. */
    List<UnacknowledgedInput> drain() {
        List<UnacknowledgedInput> all = new ArrayList<>();
        for (int place = 0; place < places.length; place++) {
            UnacknowledgedInput each = places[place];
            if (each == null) continue;
            all.add(each);
            places[place] = null;
            free[frees++] = place;
        }
        all.sort(Comparator.comparingLong(each -> each.correlation));
        return all;
    }
}
