package io.alphaomega.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.saga.Stuck;
import io.alphaomega.saga.Suspension;
import io.alphaomega.server.queries.SagaDetail;
import io.alphaomega.server.queries.SagaRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a saga waits for a person for, the documentation says what that person does. */
class RunbookTest {
    private static final Path DOCS = Path.of("../..");

    static Stream<String> reasons() {
        return Stream.concat(
                Stream.of(Suspension.Reason.values()).map(Enum::name),
                Stream.of(SagaRow.JOURNAL_UNREADABLE, Stuck.RESTORED));
    }

    @ParameterizedTest
    @MethodSource("reasons")
    void the_runbook_has_a_paragraph_where_the_link_of_the_reason_leads(String reason) throws IOException {
        String[] link = SagaDetail.SuspensionDetail.runbook(reason).split("#", 2);

        assertThat(Files.readString(DOCS.resolve(link[0].substring(1) + ".md")))
                .contains("<a id=\"" + link[1] + "\"></a>\n**`" + reason + "`.**");
    }
}
