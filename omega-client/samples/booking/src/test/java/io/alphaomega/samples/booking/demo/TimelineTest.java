package io.alphaomega.samples.booking.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class TimelineTest {
    private static final String SAGA = """
            {"id": "s1", "state": "COMPENSATED",
             "branches": [{"id": "b1", "service": "car", "operation": "CarDesk.book"}],
             "history": [
               {"at": "2026-11-20T07:00:00Z", "type": "saga.begun.v1", "branch": null, "text": "Begun by booking TripService.book."},
               {"at": "2026-11-20T07:00:00.012Z", "type": "branch.began.v1", "branch": "b1", "text": "car CarDesk.book began."},
               {"at": "2026-11-20T07:00:00.030Z", "type": "branch.ended.v1", "branch": "b1", "text": "car CarDesk.book ended."},
               {"at": "2026-11-20T07:00:01.100Z", "type": "saga.aborted.v1", "branch": "b1", "text": "Aborted (OPERATOR): enough"},
               {"at": "2026-11-20T07:00:01.101Z", "type": "callback.requested.v1", "branch": "b1", "text": "…"},
               {"at": "2026-11-20T07:00:01.140Z", "type": "callback.succeeded.v1", "branch": "b1", "text": "…"},
               {"at": "2026-11-20T07:00:01.141Z", "type": "saga.unheard-of.v9", "branch": null, "text": "Something new."}
             ]}
            """;

    @Test
    void a_saga_reads_as_one_line_for_each_event() {
        assertThat(new Timeline(JsonMapper.shared().readTree(SAGA)).toString()).isEqualToNormalizingNewlines("""
                        Saga s1: COMPENSATED
                               0 ms  alpha                       Begun by booking TripService.book.
                              12 ms  car      CarDesk.book       begins
                              30 ms  car      CarDesk.book       is done
                            1100 ms  alpha                       Aborted (OPERATOR): enough
                            1101 ms  car      CarDesk.book       is to be undone
                            1140 ms  car      CarDesk.book       is undone
                            1141 ms  alpha                       Something new.
                        """);
    }
}
