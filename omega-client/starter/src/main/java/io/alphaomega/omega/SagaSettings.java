package io.alphaomega.omega;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a saga for {@link SagaTemplate}; they mean the same as the attributes of {@link SagaStart}.
 * Immutable: each setter returns another object, so that a constant can be refined for each saga.
 */
public final class SagaSettings {
    /** Alpha's limit on names. */
    private static final int CHARS_MAX = 256;

    /** Alpha's limit. */
    private static final int ATTRIBUTES_MAX = 16;

    /** Alpha accepts no longer saga. */
    private static final Duration TIMEOUT_MAX = Duration.ofDays(30);

    private final String name;
    private SagaPropagation propagation = SagaPropagation.OUTERMOST;
    private Duration timeout = Duration.ZERO;
    private boolean leftOpen;
    private boolean awaitsDecision = true;
    private List<Class<? extends Throwable>> abortFor = List.of();
    private List<Class<? extends Throwable>> noAbortFor = List.of();
    private String businessKey = "";
    private boolean unique;
    private Map<String, String> attributes = Map.of();
    private CallbackOrder order = CallbackOrder.SEQUENTIAL;

    private SagaSettings(String name) {
        this.name = name;
    }

    private SagaSettings with(Consumer<SagaSettings> change) {
        SagaSettings copy = new SagaSettings(name);
        copy.propagation = propagation;
        copy.timeout = timeout;
        copy.leftOpen = leftOpen;
        copy.awaitsDecision = awaitsDecision;
        copy.abortFor = abortFor;
        copy.noAbortFor = noAbortFor;
        copy.businessKey = businessKey;
        copy.unique = unique;
        copy.attributes = attributes;
        copy.order = order;
        change.accept(copy);
        return copy;
    }

    /**
     * A saga with that name, which tells people what began it: {@code TripService.book}.
     *
     * @param name 1 to 256 characters; use few names, like those of methods: the business key tells sagas apart
     */
    public static SagaSettings named(String name) {
        requireName("The name of a saga", name);
        return new SagaSettings(name);
    }

    /** See {@link SagaStart#propagation}. */
    public SagaSettings propagation(SagaPropagation propagation) {
        return with(saga -> saga.propagation = propagation);
    }

    /** From 1 ms to 30 days, see {@link SagaStart#timeout}; {@code omega.saga.timeout} if not set. */
    public SagaSettings timeout(Duration timeout) {
        if (timeout.toMillis() < 1 || timeout.compareTo(TIMEOUT_MAX) > 0) {
            throw new IllegalArgumentException(
                    "The timeout of %s must be from 1 ms to %s but is %s.".formatted(name, TIMEOUT_MAX, timeout));
        }
        return with(saga -> saga.timeout = timeout);
    }

    /** The saga does not end with the work, see {@link SagaStart#autoClose}. */
    public SagaSettings leftOpen() {
        return with(saga -> saga.leftOpen = true);
    }

    /** Does not wait for branches that still run, see {@link SagaStart#awaitDecision}. */
    public SagaSettings withoutAwaitingDecision() {
        return with(saga -> saga.awaitsDecision = false);
    }

    /** Adds to those set before, see {@link SagaStart#abortFor}. */
    public SagaSettings abortFor(Class<? extends Throwable> exception) {
        return with(saga -> saga.abortFor = and(abortFor, exception));
    }

    /** Adds to those set before, see {@link SagaStart#noAbortFor}. */
    public SagaSettings noAbortFor(Class<? extends Throwable> exception) {
        return with(saga -> saga.noAbortFor = and(noAbortFor, exception));
    }

    /**
     * See {@link SagaStart#businessKey}, but here it is the key itself; null or empty for none. A key of more than 256
     * characters is left out, since it must not prevent the work from running.
     */
    public SagaSettings businessKey(@Nullable String businessKey) {
        return with(saga -> saga.businessKey = businessKey == null ? "" : businessKey);
    }

    /** Only one saga of this name may have the business key, see {@link SagaStart#unique}. */
    public SagaSettings unique() {
        return with(saga -> saga.unique = true);
    }

    /**
     * A further value by which the saga can be found, up to 16; see {@link SagaStart#attributes}.
     *
     * @param attribute a name of 1 to 256 characters without {@code =}
     * @param value null for none; one that is too long is left out
     */
    public SagaSettings attribute(String attribute, @Nullable String value) {
        requireName("The name of an attribute of " + name, attribute);
        Map<String, String> all = new LinkedHashMap<>(attributes);
        if (value == null) all.remove(attribute);
        else all.put(attribute, value);
        if (attribute.indexOf('=') >= 0 || all.size() > ATTRIBUTES_MAX) {
            throw new IllegalArgumentException(
                    "The attribute '%s' of %s has a = in its name, or is one of more than %d."
                            .formatted(attribute, name, ATTRIBUTES_MAX));
        }
        return with(saga -> saga.attributes = Collections.unmodifiableMap(all));
    }

    /** See {@link SagaStart#order}. */
    public SagaSettings order(CallbackOrder order) {
        return with(saga -> saga.order = order);
    }

    private static <T> List<T> and(List<T> before, T further) {
        return Stream.concat(before.stream(), Stream.of(further)).toList();
    }

    private static void requireName(String what, String name) {
        if (!name.isBlank() && name.length() <= CHARS_MAX) return;
        throw new IllegalArgumentException(
                "%s must have 1 to %d characters but is '%s'.".formatted(what, CHARS_MAX, name));
    }

    public String name() {
        return name;
    }

    public SagaPropagation propagation() {
        return propagation;
    }

    /** Zero if not set. */
    public Duration timeout() {
        return timeout;
    }

    public boolean isLeftOpen() {
        return leftOpen;
    }

    public boolean awaitsDecision() {
        return awaitsDecision;
    }

    public List<Class<? extends Throwable>> abortFor() {
        return abortFor;
    }

    public List<Class<? extends Throwable>> noAbortFor() {
        return noAbortFor;
    }

    /** Empty for none. */
    public String businessKey() {
        return businessKey;
    }

    public boolean isUnique() {
        return unique;
    }

    public Map<String, String> attributes() {
        return attributes;
    }

    public CallbackOrder order() {
        return order;
    }
}
