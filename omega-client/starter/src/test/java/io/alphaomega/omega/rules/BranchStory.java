package io.alphaomega.omega.rules;

import io.alphaomega.omega.rules.BranchState.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** One branch being told: its state and its time. */
final class BranchStory implements Function<String, List<String>> {
    private BranchState state = BranchState.of(terms(new String[0]));
    private long now;

    /** What follows from the inputs of {@code line}, separated by semicolons. */
    @Override
    public List<String> apply(String line) {
        List<String> output = new ArrayList<>();
        for (String command : line.split(";", -1)) happen(command.strip(), output);
        return output;
    }

    private void happen(String command, List<String> output) {
        String[] words = command.split(" ", -1);
        switch (words[0]) {
            case "terms" -> state = BranchState.of(terms(words));
            case "after" -> now += nanos(words[1]);
            case "try" -> // That one says so, whether it is the last one or not.
                take(
                        BranchRules.decideOf(Integer.parseInt(words[1]), state, input(command.split(" ", 3)[2]), now),
                        output);
            default -> take(BranchRules.decide(state, input(command), now), output);
        }
    }

    private void take(BranchStep step, List<String> output) {
        BranchState before = state;
        state = step.state();
        if (!told(before).equals(told(state))) output.add(told(state));
        step.effects().forEach(effect -> output.add("→ " + told(effect)));
        requireThatAnybodyMayCancel();
    }

    private void requireThatAnybodyMayCancel() {
        if (state.phase() != Phase.NEW) BranchRules.decide(state, BranchInput.CANCELLED, now);
    }

    private static BranchInput input(String words) {
        return BranchInput.valueOf(
                words.toUpperCase(Locale.ROOT).replace(' ', '_').replace('-', '_'));
    }

    private static String told(BranchState state) {
        String of = state.tries() == 0
                ? ""
                : " try " + state.tries() + ", " + words(state.local()) + (state.clean() ? "" : ", left something");
        return state.phase() + of;
    }

    private static String told(BranchEffect effect) {
        if (effect instanceof BranchEffect.Ask ask) return "ask alpha" + when(ask.endTravels(), ", the end travels");
        if (effect instanceof BranchEffect.TryAfter pause) {
            return "try" + when(pause.pauseNanos() > 0, " after " + seconds(pause.pauseNanos()));
        }
        if (effect instanceof BranchEffect.Observe seen) return "observe " + seen.outcome();
        if (effect instanceof BranchEffect.Bar bar) return "bar" + when(bar.awaited(), ", awaited");
        if (effect instanceof BranchEffect.ReportEnd end) {
            return "report the end" + when(end.travels(), ", or let it travel") + when(end.awaited(), ", awaited");
        }
        if (effect instanceof BranchEffect.ReportFailure failed) {
            return "report failure " + failed.cause() + ", " + (failed.clean() ? "clean" : "unknown")
                    + when(failed.awaited(), ", awaited");
        }
        return words((Enum<?>) effect);
    }

    private static String words(Enum<?> name) {
        return name.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static String when(boolean said, String words) {
        return said ? words : "";
    }

    private static String seconds(long nanos) {
        return Duration.ofNanos(nanos).toMillis() / 1000.0 + "s";
    }

    private static long nanos(String seconds) {
        return Duration.ofMillis(Math.round(Double.parseDouble(seconds.replace("s", "")) * 1000))
                .toNanos();
    }

    private static BranchTerms terms(String[] words) {
        int retries = 0;
        long delay = 0;
        long giveUpAt = BranchTerms.NEVER;
        List<String> said = List.of(words);
        for (String word : words) {
            if (word.startsWith("retries=")) retries = Integer.parseInt(word.substring(8));
            if (word.startsWith("pause=")) delay = nanos(word.substring(6));
            if (word.startsWith("timeout=")) giveUpAt = nanos(word.substring(8));
        }
        return new BranchTerms(
                retries,
                delay,
                giveUpAt,
                said.contains("clean-on-exception"),
                said.contains("compensate-on-exception"),
                said.contains("comes-again"),
                !said.contains("runs-elsewhere"),
                said.contains("end-travels"));
    }
}
