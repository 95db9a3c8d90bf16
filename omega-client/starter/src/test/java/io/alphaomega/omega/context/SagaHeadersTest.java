package io.alphaomega.omega.context;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.protocol.v1.BeginSaga;
import io.alphaomega.protocol.v1.CallReports;
import io.alphaomega.protocol.v1.Carried;
import io.alphaomega.protocol.v1.Policy;
import java.util.Arrays;
import java.util.Base64;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What goes from one omega to another, whichever of them is older. */
class SagaHeadersTest {
    private static final CallReports REPORTS = CallReports.newBuilder()
            .setReports(Carried.newBuilder()
                    .setBegin(BeginSaga.newBuilder()
                            .setOperation("TripService.book")
                            .setPolicy(Policy.newBuilder()
                                    .setTimeoutMillis(300_000)
                                    .setOrder(Policy.Order.SEQUENTIAL)))
                    .setService("booking")
                    .setInstance("booking-1")
                    .addEnded("0123456789abcdef0123456789abcdef"))
            .setBegun(true)
            .setTakesEnds(true)
            .setCall("fedcba9876543210fedcba9876543210")
            .build();

    private static final String HEADER =
            "ClIKGgoQVHJpcFNlcnZpY2UuYm9vaxIGCOCnEhgBEgdib29raW5nGglib29raW5nLTEiIDAxMjM0NTY3O"
                    + "DlhYmNkZWYwMTIzNDU2Nzg5YWJjZGVmEAEYASogZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA";

    private static final byte[] FIELD_31 = {(byte) 0xF8, 0x01, 0x07};

    @Test
    void what_1_0_has_written_is_read_and_written_so() {
        assertThat(SagaHeaders.decoded(HEADER)).isEqualTo(REPORTS);
        assertThat(SagaHeaders.encoded(REPORTS)).isEqualTo(HEADER);
    }

    @Test
    void what_a_later_one_adds_is_skipped() {
        byte[] known = Base64.getUrlDecoder().decode(HEADER);
        byte[] longer = Arrays.copyOf(known, known.length + FIELD_31.length);
        System.arraycopy(FIELD_31, 0, longer, known.length, FIELD_31.length);
        CallReports read = Objects.requireNonNull(
                SagaHeaders.decoded(Base64.getUrlEncoder().withoutPadding().encodeToString(longer)));
        assertThat(read.getReports()).isEqualTo(REPORTS.getReports());
        assertThat(read.getBegun()).isTrue();
    }
}
