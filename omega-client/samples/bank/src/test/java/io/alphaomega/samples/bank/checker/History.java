package io.alphaomega.samples.bank.checker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the witnesses of one run say. Everything that the rules look at is in it, so that a run can be judged again from
 * a file.
 *
 * @param told what callers were told
 * @param effects every row that business left in some service's database, undone or not
 * @param balances per service; empty for a service that keeps none
 * @param fence the rows of every service's fence
 * @param sagas every saga, as {@code GET /api/v1/sagas/ID} shows it at the end
 * @param list every saga, as the list shows it at the end
 * @param acks what alpha acknowledged to a client that writes that down
 * @param callbacks what alpha asked of a participant that writes that down
 * @param faults what was done to the installation
 * @param terms what is asked of it
 */
public record History(
        List<Told> told,
        List<Effect> effects,
        List<Balance> balances,
        List<FenceRow> fence,
        List<SagaView> sagas,
        List<Listed> list,
        List<Acked> acks,
        List<Delivered> callbacks,
        List<Fault> faults,
        Terms terms) {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    public History {
        told = List.copyOf(told);
        effects = List.copyOf(effects);
        balances = List.copyOf(balances);
        fence = List.copyOf(fence);
        sagas = List.copyOf(sagas);
        list = List.copyOf(list);
        acks = List.copyOf(acks);
        callbacks = List.copyOf(callbacks);
        faults = List.copyOf(faults);
    }

    /** What a caller was told about a transfer. */
    public enum Answer {
        /** It is done, all of it. */
        COMMITTED,
        /** It was refused or called off: nothing of it is left, or will be once the saga has ended. */
        COMPENSATED,
        /** Nobody knows; also what a caller knows whose connection broke. */
        UNKNOWN,
        /** It did not happen, for want of a server: nothing of it is or will be there. */
        FAILED
    }

    /** What a transfer does in one service if it is done. */
    public record Step(String service, long amount) {}

    /**
     * One transfer as its caller knows it.
     *
     * @param answered null if there never was an answer
     * @param saga null if the answer named none
     * @param steps all of what it means to be done
     */
    public record Told(
            String transfer,
            Instant asked,
            @Nullable Instant answered,
            Answer answer,
            @Nullable String saga,
            List<Step> steps) {}

    /** What a branch's method did. */
    public enum Kind {
        FORWARD,
        COMPENSATION,
        CONFIRMATION
    }

    /**
     * One row.
     *
     * @param transfer the transfer that it was done for, if the row says so
     * @param amount what it added to the service's balance
     * @param order larger is later, within the service
     */
    public record Effect(
            String service,
            String saga,
            String branch,
            Kind kind,
            @Nullable String transfer,
            long amount,
            long order) {}

    /** The sum of all of a service's accounts, before the first transfer and at the end. */
    public record Balance(String service, long opening, long now) {}

    /**
     * What omega wrote for itself beside an effect.
     *
     * @param op forward, compensation or confirmation; {@code reason} says who inserted it
     */
    public record FenceRow(String service, String saga, String branch, String op, String reason) {}

    /**
     * A saga by its own page.
     *
     * @param sequence how many events alpha says the history has
     * @param abort the machine-readable cause of the abort, if it was aborted
     * @param suspension the machine-readable reason, if it is suspended
     */
    public record SagaView(
            String id,
            String state,
            long sequence,
            @Nullable Instant deadline,
            @Nullable String abort,
            @Nullable String suspension,
            List<BranchView> branches,
            List<Event> history) {}

    /**
     * A branch on its saga's page.
     *
     * @param compensation whether it offers one; so with {@code confirmation}
     * @param forward RUNNING, UNKNOWN, ENDED or FAILED
     * @param callback IDLE, ASKED, AWAITING_RETRY, AWAITING_PARTICIPANT, GAVE_UP, DONE or SKIPPED
     */
    public record BranchView(
            String id, String service, boolean compensation, boolean confirmation, String forward, String callback) {}

    /**
     * One line of a saga's history.
     *
     * @param kind of the callback that the event is about, if it is about one
     * @param attempt of that callback; 0 if it is about none
     */
    public record Event(
            long sequence,
            @Nullable Instant at,
            String type,
            @Nullable String branch,
            @Nullable Kind kind,
            int attempt) {
        /** A first event that stands in for the begin, which has not come. */
        public static final String BEGUN_BY_BRANCH = "saga.begun.v1, by a branch";

        /** Of the type and the text that alpha gives: such a first event is only told by its text. */
        public static String typeOf(String type, String text) {
            return text.startsWith("A branch came before") ? BEGUN_BY_BRANCH : type;
        }
    }

    public record Listed(String id, String state) {}

    /** Something acknowledged: the history of the saga must have the event, of that branch if it is about one. */
    public record Acked(String saga, String event, @Nullable String branch, long correlation) {}

    /** A callback as it reached a participant. */
    public record Delivered(String service, String saga, String branch, Kind kind, int attempt, Instant at) {}

    /**
     * Something done to the installation, until it was mended.
     *
     * @param kind such as "kill"; what counts are kept of
     * @param target what it was done to
     * @param suspends reasons for which sagas may be suspended because of it; if there are any, it explains nothing else
     */
    public record Fault(String kind, String target, Instant from, Instant until, Set<String> suspends) {}

    /**
     * What is asked for, and when the witnesses were heard.
     *
     * @param checkedAt when alpha's states were read; everything had time to end by then
     * @param grace how long after a deadline, or after a fault was mended, a decision may come
     * @param aftermath how long after a fault was mended callers may be told that nobody knows, or that it failed
     * @param clocks how far the clocks of two processes may be apart
     */
    public record Terms(Instant checkedAt, Duration grace, Duration aftermath, Duration clocks) {}

    /** Written piece by piece: that of an hour is larger than what one would hold in memory at once. */
    public void write(Path file) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
        } catch (IOException e) {
            throw new UncheckedIOException("The history cannot be written to " + file + ".", e);
        }
        JSON.writerWithDefaultPrettyPrinter().writeValue(file.toFile(), this);
    }

    public static History read(Path file) {
        return JSON.readValue(file.toFile(), History.class);
    }
}
