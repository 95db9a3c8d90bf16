package io.alphaomega.omega;

import org.jspecify.annotations.Nullable;

/**
 * Sagas without annotations, as {@code TransactionTemplate} has transactions: a bean to be injected.
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
     * Runs the work in a saga, as if it were a method with {@link SagaStart}: returns only if the saga is committed, and
     * otherwise throws what {@link SagaStart} says. With a {@link SagaSettings#propagation} that joins a saga, or with
     * {@link SagaSettings#leftOpen}, that it returns says nothing of a commit.
     *
     * @throws IllegalArgumentException if the settings contradict each other; then nothing has run
     * @throws SagaRepeatedException if the business key is {@link SagaSettings#unique} and an earlier start has begun its
     *     saga, which is committed or open; then nothing has run. A commit is not reported so by {@link
     *     #executeWithoutResult}, which returns
     */
    <T extends @Nullable Object, X extends Throwable> T execute(SagaSettings settings, SagaWork<T, X> work) throws X;

    /** As {@link #execute}. */
    <X extends Throwable> void executeWithoutResult(SagaSettings settings, SagaWork.WithoutResult<X> work) throws X;

    /**
     * Runs the work in a saga that is open, in whichever service it was begun: one that was left open
     * ({@code autoClose = false}, {@link SagaSettings#leftOpen}). Alpha is asked first. The work is a part of the saga as
     * a call over HTTP would be: an exception does not abort it unless a branch has failed, and {@link OpenSaga#end} or a
     * {@link SagaEnd} method ends it.
     *
     * @param saga its id
     * @param key names what is done, 1 to 256 characters: work that comes again with the same key, such as a message that
     *     is delivered again, makes the same branches again, which the fence lets run once. Other work needs another key
     * @throws SagaAbortedException if the saga is aborted; the work has not run
     * @throws SagaException if it is committed, or alpha has not heard of it; the work has not run. What was begun a
     *     moment ago is perhaps only on its way to alpha
     * @throws AlphaUnavailableException if alpha does not answer within {@code omega.begin-timeout}; the work has not run
     */
    <T extends @Nullable Object, X extends Throwable> T resume(String saga, String key, SagaWork<T, X> work) throws X;

    /**
     * How the saga is decided, whoever began it.
     *
     * @param saga its id, as {@link Omega#sagaId}, {@link OpenSaga#id} or an exception has given it
     * @throws AlphaUnavailableException if alpha does not answer within {@code omega.begin-timeout}
     * @throws SagaRejectedException if alpha cannot say: its journal of the saga is unreadable, or it is an older alpha
     *     that cannot be asked
     */
    SagaOutcome outcome(String saga);

    /**
     * How the saga with a {@link SagaStart#unique} business key is decided; any service may ask.
     *
     * @param service that begins it, by {@code spring.application.name}
     * @param operation what begins it: {@code SimpleClassName.method}, or the name of the settings
     * @param businessKey its key
     * @throws AlphaUnavailableException as {@link #outcome(String)}
     * @throws SagaRejectedException as {@link #outcome(String)}
     */
    SagaOutcome outcome(String service, String operation, String businessKey);
}
