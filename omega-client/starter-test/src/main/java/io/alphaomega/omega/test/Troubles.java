package io.alphaomega.omega.test;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What is planned to go wrong, in the order in which it was planned. */
final class Troubles {
    private final List<Trouble> planned = new CopyOnWriteArrayList<>();

    Trouble plan(Trouble trouble) {
        planned.add(trouble);
        return trouble;
    }

    /** What goes wrong now with that method, if anything does. */
    @Nullable
    Trouble next(String name, Trouble.Kind kind, Predicate<Trouble> which) {
        for (Trouble each : planned) {
            if (each.kind == kind && each.name.equals(name) && which.test(each) && each.strike()) return each;
        }
        return null;
    }

    List<Trouble> notHappened() {
        return planned.stream().filter(each -> !each.isOver()).toList();
    }

    void clear() {
        planned.clear();
    }
}
