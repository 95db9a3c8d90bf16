package io.alphaomega.server.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.saga.Abort;
import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.CallbackKind;
import io.alphaomega.saga.Initiator;
import io.alphaomega.saga.Payload;
import io.alphaomega.saga.Policy;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.server.RandomValues;
import io.alphaomega.server.journal.v1.Journal;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Test;

class JournalCodecTest {
    private static final Instant AT = Instant.parse("2026-11-20T08:00:00.123Z");
    private static final SagaEvent REQUESTED = new SagaEvent.CallbackRequested(
            new BranchId("b1"), CallbackKind.COMPENSATION, 1, true, AT.plusSeconds(30), AT.plusSeconds(60), AT);

    @Test
    void every_event_comes_back_as_it_was() {
        RandomValues random = new RandomValues(20261120);
        for (Class<?> type : RandomValues.cases(SagaEvent.class)) {
            for (int i = 0; i < 500; i++) {
                SagaEvent event = journaled(random, type);
                StoredEvent stored = JournalCodec.encode(event);
                assertThat(JournalCodec.decode(stored)).isEqualTo(event);
                assertThat(JournalCodec.encode(JournalCodec.decode(stored))).isEqualTo(stored);
            }
        }
    }

    @Test
    void every_event_type_has_a_name_of_its_own() {
        RandomValues random = new RandomValues(1);
        Set<String> names = new HashSet<>();
        for (Class<?> type : RandomValues.cases(SagaEvent.class)) {
            String name = JournalCodec.encode(journaled(random, type)).type();
            assertThat(name).matches("(saga|branch|callback|fence)\\.[a-z-]+\\.v[1-9][0-9]*");
            assertThat(names.add(name)).as(name).isTrue();
        }
    }

    @Test
    void one_event_has_one_encoding_whatever_the_order_of_its_attributes() {
        Map<String, String> forth = new LinkedHashMap<>();
        Map<String, String> back = new LinkedHashMap<>();
        for (int i = 0; i < 9; i++) {
            forth.put("a" + i, "v");
            back.put("a" + (8 - i), "v");
        }
        assertThat(JournalCodec.encode(begun(forth))).isEqualTo(JournalCodec.encode(begun(new HashMap<>(back))));
    }

    @Test
    void the_journal_is_compact() {
        StoredEvent stored = JournalCodec.encode(
                new SagaEvent.BranchEnded(new BranchId("0123456789abcdef"), new Payload(new byte[100]), AT));
        assertThat(stored.bytes()).hasSizeLessThan(100 + 16 + 12);
    }

    @Test
    void what_would_not_come_back_exactly_is_not_written() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JournalCodec.encode(new SagaEvent.Committed(AT.plusNanos(1))))
                .withMessage(
                        "the journal keeps whole milliseconds: 2026-11-20T08:00:00.123000001Z would come back as 2026-11-20T08:00:00.123Z");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JournalCodec.encode(
                        new SagaEvent.CallbackLost(new BranchId("b1"), CallbackKind.COMPENSATION, 0, AT)))
                .withMessage("attempt must be 1 or more but was 0");
    }

    // ---- what cannot be read

    @Test
    void a_type_of_a_newer_version_is_unreadable() {
        assertUnreadable(() -> JournalCodec.decode(StoredEvent.of("saga.split.v1", new byte[3])))
                .withMessage(
                        "A journal event of type 'saga.split.v1' (3 bytes) cannot be read: this version does not know the type. If a newer version has written it, upgrade this node.");
    }

    @Test
    void an_enum_value_of_a_newer_version_is_unreadable() {
        assertUnreadable(() -> JournalCodec.decode(StoredEvent.of(
                        "callback.requested.v1",
                        requested().setKindValue(7).build().toByteArray())))
                .withMessageContaining("cannot be read: this version does not know kind 7. If");
    }

    @Test
    void a_field_of_a_newer_version_is_ignored() {
        UnknownFieldSet more = UnknownFieldSet.newBuilder()
                .addField(
                        99,
                        UnknownFieldSet.Field.newBuilder()
                                .addLengthDelimited(ByteString.copyFromUtf8("new"))
                                .build())
                .build();
        StoredEvent newer = StoredEvent.of(
                "callback.requested.v1",
                requested().setUnknownFields(more).build().toByteArray());
        assertThat(JournalCodec.decode(newer)).isEqualTo(REQUESTED);
    }

    @Test
    void a_damaged_event_is_unreadable() {
        StoredEvent intact = JournalCodec.encode(REQUESTED);
        for (int bit = 0; bit < intact.bytes().length * 8; bit++) {
            byte[] bytes = intact.bytes().clone();
            bytes[bit / 8] ^= (byte) (1 << (bit % 8));
            StoredEvent damaged = new StoredEvent(intact.type(), bytes, intact.crc32c());
            assertUnreadable(() -> JournalCodec.decode(damaged))
                    .withMessageContaining("does not match its checksum")
                    .withMessageContaining("restore it from a backup");
        }
    }

    @Test
    void bytes_that_are_no_message_are_unreadable() {
        RandomValues random = new RandomValues(2);
        for (Class<?> type : RandomValues.cases(SagaEvent.class)) {
            String name = JournalCodec.encode(journaled(random, type)).type();
            assertUnreadable(() -> JournalCodec.decode(StoredEvent.of(name, new byte[] {0x0a, 0x7f, 1})))
                    .withMessageContaining("'" + name + "' (3 bytes) cannot be read");
            assertUnreadable(() -> JournalCodec.decode(StoredEvent.of(name, new byte[0])))
                    .withMessageContaining("'" + name + "' (0 bytes) cannot be read");
        }
    }

    @Test
    void whatever_the_bytes_are_they_are_an_event_or_unreadable() {
        Random random = new Random(3);
        int unreadable = 0;
        for (SagaEvent event : JournalSamples.all().values()) {
            StoredEvent stored = JournalCodec.encode(event);
            for (int i = 0; i < 300; i++) {
                byte[] bytes = Arrays.copyOf(stored.bytes(), random.nextInt(stored.bytes().length + 3));
                for (int changes = random.nextInt(4); changes > 0 && bytes.length > 0; changes--) {
                    bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
                }
                try {
                    assertThat(JournalCodec.decode(StoredEvent.of(stored.type(), bytes)))
                            .hasSameClassAs(event);
                } catch (JournalUnreadableException expected) {
                    unreadable++;
                }
            }
        }
        assertThat(unreadable).isGreaterThan(1_000);
    }

    @Test
    void an_event_that_lacks_what_it_needs_is_unreadable() {
        assertLacking(requested().clearBranch(), "branch id must be");
        assertLacking(requested().clearKind(), "it has no kind");
        assertLacking(requested().clearAttempt(), "attempt must be 1 or more but was 0");
        assertLacking(requested().clearAnswerByMillis(), "it has no answer_by_millis");
        assertLacking(requested().clearGiveUpAtMillis(), "it has no give_up_at_millis");
        assertLacking(requested().clearAtMillis(), "it has no at_millis");
    }

    private static void assertLacking(Journal.CallbackRequested.Builder message, String sentence) {
        StoredEvent stored =
                StoredEvent.of("callback.requested.v1", message.build().toByteArray());
        assertUnreadable(() -> JournalCodec.decode(stored)).withMessageContaining(sentence);
    }

    private static ThrowableAssertAlternative<JournalUnreadableException> assertUnreadable(ThrowingCallable decoding) {
        return assertThatExceptionOfType(JournalUnreadableException.class).isThrownBy(decoding);
    }

    private static Journal.CallbackRequested.Builder requested() {
        return Encoding.of((SagaEvent.CallbackRequested) REQUESTED).toBuilder();
    }

    private static SagaEvent begun(Map<String, String> attributes) {
        return new SagaEvent.Begun(
                new Initiator("booking", "booking-1", "book", "", attributes), Policy.DEFAULT, false, AT);
    }

    /** Any event but one that is told and never journaled. */
    private static SagaEvent journaled(RandomValues random, Class<?> type) {
        SagaEvent event = (SagaEvent) random.next(type);
        while (event instanceof SagaEvent.Aborted aborted && aborted.abort().cause() == Abort.Cause.HISTORY_PURGED) {
            event = (SagaEvent) random.next(type);
        }
        return event;
    }
}
