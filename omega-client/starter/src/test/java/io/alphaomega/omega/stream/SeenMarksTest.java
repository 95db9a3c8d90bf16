package io.alphaomega.omega.stream;

import static io.alphaomega.omega.stream.Omega.PATIENCE;
import static io.alphaomega.omega.stream.Omega.connected;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.protocol.v1.StoreMark;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an instance remembers of how far alpha's store has come, and gives back. */
@Timeout(60)
final class SeenMarksTest {
    private static StoreMark mark(String run, long number) {
        return StoreMark.newBuilder()
                .setStore("store")
                .setRun(run)
                .setNumber(number)
                .setAtMillis(1_000 * number)
                .build();
    }

    @Test
    @SuppressWarnings("try") // The client is there to be connected.
    void an_instance_says_at_its_next_hello_what_it_was_told_last() {
        try (ScriptedAlpha alpha = new ScriptedAlpha("a");
                AlphaClient client = connected(alpha)) {
            await().atMost(PATIENCE)
                    .until(() -> !alpha.conversations.isEmpty()
                            && !alpha.conversations.get(0).hellos.isEmpty());
            ScriptedAlpha.Conversation first = alpha.conversations.get(0);
            assertThat(first.hellos.get(0).getSeenList()).isEmpty();
            first.marks(mark("one", 1));
            first.marks(mark("two", 7));
            first.marks(mark("one", 2));
            first.breakOff();

            await().atMost(PATIENCE)
                    .until(() -> alpha.conversations.size() > 1
                            && !alpha.conversations.get(1).hellos.isEmpty());
            assertThat(alpha.conversations.get(1).hellos.get(0).getSeenList())
                    .containsExactly(mark("two", 7), mark("one", 2));
        }
    }

    @Test
    void of_two_marks_of_a_run_the_later_one_is_kept_whichever_is_heard_first() {
        SeenMarks seen = new SeenMarks();
        seen.heard(mark("one", 2));
        seen.heard(mark("one", 1));

        assertThat(seen.all()).containsExactly(mark("one", 2));
    }

    @Test
    void of_many_runs_those_that_were_heard_last_are_kept() {
        SeenMarks seen = new SeenMarks();
        for (int run = 0; run < SeenMarks.RUNS_MAX; run++) seen.heard(mark("run " + run, 1));
        seen.heard(mark("run 0", 2));
        seen.heard(mark("new", 1));

        List<String> runs = seen.all().stream().map(StoreMark::getRun).toList();
        assertThat(runs).hasSize(SeenMarks.RUNS_MAX).contains("run 0", "new").doesNotContain("run 1");
    }
}
