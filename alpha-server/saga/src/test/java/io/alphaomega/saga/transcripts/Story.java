package io.alphaomega.saga.transcripts;

import io.alphaomega.saga.Decision;
import io.alphaomega.saga.SagaEffect;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.saga.SagaRules;
import io.alphaomega.saga.SagaState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One saga being told: its state, its journal and its time. */
final class Story {
    private static final Pattern WORD = Pattern.compile("\"[^\"]*\"|\\S+");

    private final List<SagaEvent> journal = new ArrayList<>();
    private SagaState state = new SagaState.Absent(new SagaId("trip"));
    private Instant now = Words.START;

    /** Inputs that only lead up to something; a refusal is a mistake in the transcript. */
    void context(String line) {
        List<String> output = happen(line);
        output.stream().filter(l -> l.startsWith("← Rejected")).findAny().ifPresent(refused -> {
            throw new IllegalArgumentException("context '%s' was refused: %s".formatted(line, refused));
        });
    }

    /** What follows from the inputs of {@code line}, separated by semicolons. */
    List<String> happen(String line) {
        List<String> output = new ArrayList<>();
        for (String command : line.split(";", -1)) happen(words(command), output);
        if (!state.equals(replayed())) throw new IllegalStateException("replaying the journal gives another state");
        return output;
    }

    private void happen(List<String> words, List<String> output) {
        switch (words.getFirst()) {
            case "after" -> now = now.plus(Words.duration(words.get(1)));
            case "alarm" -> {
                now = SagaRules.wakeUpAt(state)
                        .orElseThrow(() -> new IllegalArgumentException("nothing will wake the saga"));
                output.add("at " + Words.time(now));
                decide(new SagaInput.Tick(), output);
            }
            case "restart" -> restart(output);
            case "purge" -> purge();
            case "branches" -> {
                for (int i = 1; i <= Integer.parseInt(words.get(1)); i++) {
                    List<String> branch = new ArrayList<>(words);
                    branch.set(0, "branch");
                    branch.set(1, "b" + i);
                    decide(Words.input(branch, state), output);
                }
            }
            default -> decide(Words.input(words, state), output);
        }
    }

    private void decide(SagaInput input, List<String> output) {
        Set<SagaEffect> before = SagaRules.effects(state);
        Decision decision = SagaRules.decide(state, input, now);
        for (SagaEvent event : decision.events()) {
            state = SagaRules.evolve(state, event);
            journal.add(event);
            output.add(Words.of(event));
        }
        Set<SagaEffect> owed = new LinkedHashSet<>(SagaRules.effects(state));
        owed.removeAll(before);
        owed.forEach(effect -> output.add("→ " + Words.of(effect)));
        if (!(input instanceof SagaInput.Tick)) output.add("← " + Words.of(decision.reply()));
        Decision again = SagaRules.decide(state, input, now);
        if (!again.events().isEmpty()) throw new IllegalStateException("a repeat changes something: " + again);
        HeldAtAnyTime.check(state, now);
    }

    /** The node dies and another one loads the saga: what is owed is owed again. */
    private void restart(List<String> output) {
        state = replayed();
        SagaRules.effects(state).forEach(effect -> output.add("→ " + Words.of(effect)));
        output.add("wake " + SagaRules.wakeUpAt(state).map(Words::time).orElse("never"));
    }

    /** Long after its end, only how it ended is left. */
    private void purge() {
        if (!(state instanceof SagaState.Ended ended)) throw new IllegalArgumentException("the saga has not ended");
        journal.clear();
        state = new SagaState.Purged(state.id(), ended.outcome());
    }

    private SagaState replayed() {
        if (state instanceof SagaState.Purged) return state;
        SagaState replayed = new SagaState.Absent(state.id());
        for (SagaEvent event : journal) replayed = SagaRules.evolve(replayed, event);
        return replayed;
    }

    private static List<String> words(String command) {
        List<String> words = new ArrayList<>();
        Matcher word = WORD.matcher(command);
        while (word.find()) words.add(word.group());
        return words;
    }
}
