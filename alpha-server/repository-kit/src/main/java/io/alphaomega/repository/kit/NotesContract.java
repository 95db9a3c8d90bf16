package io.alphaomega.repository.kit;

import static io.alphaomega.repository.kit.Bench.BASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.alphaomega.repository.SagaRepository;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What nodes note in the store about the store itself. */
abstract class NotesContract {
    private final Bench bench;
    private final String name = "kit-" + UUID.randomUUID();

    NotesContract(Bench bench) {
        this.bench = bench;
    }

    @Test
    void a_note_is_read_as_it_was_written() {
        String text = "7 !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~ ";
        bench.repository().note(name, text);

        assertThat(bench.repository().notes()).containsEntry(name, text);
    }

    @Test
    void the_last_text_of_a_name_is_kept() {
        bench.repository().note(name, "1");
        bench.repository().note(name, "2");
        bench.repository().note(name, "2");
        bench.repository().note(name, "10");

        assertThat(bench.repository().notes()).containsEntry(name, "10");
    }

    @Test
    void notes_of_other_names_stay_as_they_are() {
        String other = "kit-" + UUID.randomUUID();
        bench.repository().note(other, "other");
        bench.repository().note(name, "one");
        bench.repository().note(name, "two");

        assertThat(bench.repository().notes()).containsEntry(other, "other");
    }

    @Test
    void an_empty_text_removes_the_note() {
        bench.repository().note(name, "soon gone");
        bench.repository().note(name, "");
        assertThat(bench.repository().notes()).doesNotContainKey(name);

        bench.repository().note(name, ""); // Nothing to remove.
        bench.repository().note(name, "back");
        assertThat(bench.repository().notes()).containsEntry(name, "back");
    }

    @Test
    void a_note_is_there_for_the_next_server() {
        bench.repository().note(name, "before the restart");

        assertThat(bench.reopen().notes()).containsEntry(name, "before the restart");
    }

    @Test
    void many_who_note_at_once_all_find_their_notes() throws Exception {
        List<String> names = IntStream.range(0, 8).mapToObj(i -> name + "-" + i).toList();
        Bench.race(names.stream().<Callable<Void>>map(each -> () -> noted(each)).toList());

        for (String each : names) assertThat(bench.repository().notes()).containsEntry(each, "9");
    }

    private Void noted(String each) {
        for (int i = 0; i < 10; i++) bench.repository().note(each, Integer.toString(i));
        return null;
    }

    @Test
    void a_note_is_no_saga() {
        bench.repository().note(name, "no saga");

        bench.begin(bench.saga().wakeUpAt(BASE));
        bench.shows(() -> assertThat(bench.find(bench.mine())).hasSize(1));
        assertThat(bench.due(BASE, 100)).noneMatch(saga -> saga.value().contains(name));
    }

    @Test
    void the_longest_text_is_kept_and_a_longer_one_refused() {
        bench.repository().note("x".repeat(64), "y".repeat(SagaRepository.NOTE_CHARS));
        assertThat(bench.repository().notes()).containsEntry("x".repeat(64), "y".repeat(SagaRepository.NOTE_CHARS));
        bench.repository().note("x".repeat(64), "");

        assertThatThrownBy(() -> bench.repository().note(name, "y".repeat(SagaRepository.NOTE_CHARS + 1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> bench.repository().note(name, "caf\u00e9"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> bench.repository().note("Not A Name", "y"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(bench.repository().notes()).doesNotContainKey(name);
    }
}
