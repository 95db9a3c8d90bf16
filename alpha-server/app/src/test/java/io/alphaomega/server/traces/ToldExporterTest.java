package io.alphaomega.server.traces;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.net.ConnectException;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class ToldExporterTest {
    private static final Logger LOGGER = (Logger) LoggerFactory.getLogger(Traces.class);

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Collector collector = new Collector();
    private final ToldExporter exporter = new ToldExporter(collector, "http://collector:4318/v1/traces");

    /** Answers as it is told. */
    private static final class Collector implements SpanExporter {
        CompletableResultCode answer = CompletableResultCode.ofSuccess();

        @Override
        public CompletableResultCode export(Collection<SpanData> spans) {
            return answer;
        }

        @Override
        public CompletableResultCode flush() {
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode shutdown() {
            return CompletableResultCode.ofSuccess();
        }
    }

    @BeforeEach
    void listen() {
        log.start();
        LOGGER.addAppender(log);
    }

    @AfterEach
    void stop() {
        LOGGER.detachAppender(log);
    }

    @Test
    void a_collector_that_is_away_is_one_line_and_its_return_another() {
        exportAll(CompletableResultCode.ofSuccess());
        assertThat(lines()).isEmpty();
        CompletableResultCode away = CompletableResultCode.ofExceptionalFailure(
                new IllegalStateException("export", new ConnectException("Connection refused")));
        exportAll(away);
        exportAll(away);
        exportAll(CompletableResultCode.ofFailure());
        exportAll(CompletableResultCode.ofSuccess());
        exportAll(CompletableResultCode.ofSuccess());
        assertThat(lines())
                .containsExactly(
                        "Spans do not reach http://collector:4318/v1/traces: java.net.ConnectException: Connection"
                                + " refused. Alpha continues, and drops them until they do.",
                        "Spans reach http://collector:4318/v1/traces again.");
    }

    private void exportAll(CompletableResultCode answer) {
        collector.answer = answer;
        assertThat(exporter.export(List.of()).isSuccess()).isEqualTo(answer.isSuccess());
    }

    private List<String> lines() {
        return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }
}
