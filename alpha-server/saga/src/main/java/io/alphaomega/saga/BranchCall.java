package io.alphaomega.saga;

import java.util.Optional;

/**
 * One call of an annotated business method, as the participant describes it when it begins. It stays the same in what is
 * reported, journaled and remembered of the branch.
 *
 * @param id of the branch
 * @param parent the branch whose method made the call
 * @param build of the instance that runs it; empty if it is not known, as an older alpha has passed it on
 * @param fenced whether the participant guards forward call and callbacks with a fence
 * @param fence the id of that fence's table; empty if there is none, or unknown
 * @param endTravels whether the participant may leave it to its callers to say that the branch has ended, by {@link
 *     SagaInput.Carrying}; only with a fence, which makes it safe to compensate a branch whose end nobody has told
 * @param traceparent W3C trace context of the call, or empty
 * @param nested the saga that the branch is, if it is one: alpha itself calls it back, so no service offers anything
 */
public record BranchCall(
        BranchId id,
        Optional<BranchId> parent,
        String service,
        String instance,
        String build,
        String operation,
        Optional<CallbackOffer> compensation,
        Optional<CallbackOffer> confirmation,
        boolean fenced,
        String fence,
        boolean endTravels,
        Payload arguments,
        String traceparent,
        Optional<SagaId> nested) {
    /** What a branch costs in every store beside its names and payloads. */
    private static final int BYTES_EACH = 128;

    /** Of a branch that a service runs and is called back for, by an instance whose build is not known. */
    public BranchCall(
            BranchId id,
            Optional<BranchId> parent,
            String service,
            String instance,
            String operation,
            Optional<CallbackOffer> compensation,
            Optional<CallbackOffer> confirmation,
            boolean fenced,
            String fence,
            boolean endTravels,
            Payload arguments,
            String traceparent) {
        this(
                id,
                parent,
                service,
                instance,
                "",
                operation,
                compensation,
                confirmation,
                fenced,
                fence,
                endTravels,
                arguments,
                traceparent,
                Optional.empty());
    }

    /** As alpha takes it: a nested saga offers what alpha does with it; what cannot be journaled is refused. */
    BranchCall checked() {
        Limits.requireName("service", service);
        Limits.requireName("instance", instance);
        Limits.requireName("build", build);
        Limits.requireName("operation", operation);
        Limits.requireName("fence", fence);
        Limits.requireName("traceparent", traceparent);
        if (nested.isPresent()) return ofNestedSaga();
        if (endTravels && !fenced) {
            throw new IllegalArgumentException(
                    "branch %s has no fence, so its end must not travel: report it".formatted(id));
        }
        return this;
    }

    private BranchCall ofNestedSaga() {
        return new BranchCall(
                id,
                parent,
                service,
                instance,
                build,
                operation,
                Optional.of(Nesting.ABORT),
                Optional.of(Nesting.COMMIT),
                true,
                fence,
                true,
                arguments,
                traceparent,
                nested);
    }

    /**
     * Whether {@code again} is this call, come once more, perhaps to another instance or version of the service: so neither
     * the instance, nor the trace, nor what the participant offers is looked at.
     */
    boolean isRepeatedBy(BranchCall again) {
        return service.equals(again.service)
                && operation.equals(again.operation)
                && parent.equals(again.parent)
                && nested.equals(again.nested)
                && arguments.equals(again.arguments);
    }

    /** What the journal holds of it, about. */
    int bytes() {
        return BYTES_EACH + build.length() + service.length() + operation.length() + fence.length() + arguments.size();
    }
}
