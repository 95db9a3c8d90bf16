package io.alphaomega.omega;

import org.jspecify.annotations.Nullable;

/**
 * Sagas without annotations, as {@code TransactionTemplate} is for transactions: a bean to inject.
 *
 * <pre>{@code
 * Receipt receipt = sagas.execute(SagaSettings.named("TripService.book").businessKey(trip), saga -> {
 *     saga.branch("car").compensateWith(cancelCar, order).run(() -> desk.book(order));
 *     return hotels.book(trip); // whatever is @Compensable is a branch as well, here and in services that are called
 * });
 * }</pre>
 */
public interface SagaTemplate {

    /**
     * Runs the work in a saga, as if it were a method with {@link SagaStart}: returns only if the saga is committed,
     * and otherwise throws as {@link SagaStart} says. With a {@link SagaSettings#propagation} that joins a saga, or
     * with {@link SagaSettings#leftOpen}, a normal return does not mean a commit.
     *
     * @throws IllegalArgumentException if the settings contradict each other; then nothing has run
     * @throws SagaRepeatedException if the business key is {@link SagaSettings#unique} and an earlier start has begun
     *     its saga, which is committed or open; then nothing has run. If that saga is committed,
     *     {@link #executeWithoutResult} returns instead
     */
    <T extends @Nullable Object, X extends Throwable> T execute(SagaSettings settings, SagaWork<T, X> work) throws X;

    /** As {@link #execute}. */
    <X extends Throwable> void executeWithoutResult(SagaSettings settings, SagaWork.WithoutResult<X> work) throws X;

    /**
     * Runs the work in a saga that was left open ({@code autoClose = false}, {@link SagaSettings#leftOpen}) by any
     * service. Alpha must confirm that it is open first. The work is a part of the saga as a call over HTTP would be:
     * an exception does not abort it unless a branch has failed, and {@link OpenSaga#end} or a {@link SagaEnd} method
     * ends it.
     *
     * @param saga its id
     * @param key names what is done, 1 to 256 characters: repeated work with the same key, such as a redelivered
     *     message, makes the same branches again, which the fence lets run once. Other work needs another key
     * @throws SagaAbortedException if the saga is aborted; the work has not run
     * @throws SagaException if it is committed, or alpha does not know it; the work has not run. The report of a saga
     *     that has just begun may still be on its way to alpha
     * @throws AlphaUnavailableException if alpha does not answer within {@code omega.begin-timeout}; the work has not run
     */
    <T extends @Nullable Object, X extends Throwable> T resume(String saga, String key, SagaWork<T, X> work) throws X;

    /**
     * The outcome of the saga; any service may ask for it.
     *
     * @param saga its id, as {@link Omega#sagaId}, {@link OpenSaga#id} or an exception has given it
     * @throws AlphaUnavailableException if alpha does not answer within {@code omega.begin-timeout}
     * @throws SagaRejectedException if alpha cannot say: its journal of the saga is unreadable, or it is an older alpha
     *     without this request
     */
    SagaOutcome outcome(String saga);

    /**
     * The outcome of the saga with a {@link SagaStart#unique} business key; any service may ask for it.
     *
     * @param service the initiator, by its {@code spring.application.name}
     * @param operation the initiating method: {@code SimpleClassName.method}, or the name of the settings
     * @param businessKey its key
     * @throws AlphaUnavailableException as {@link #outcome(String)}
     * @throws SagaRejectedException as {@link #outcome(String)}
     */
    SagaOutcome outcome(String service, String operation, String businessKey);
}
