package io.alphaomega.omega.spring.fencing;

import io.alphaomega.omega.fence.Compensation;
import io.alphaomega.omega.fence.Confirmation;
import io.alphaomega.omega.fence.Found;
import java.time.Duration;

/** Callbacks behind the fence of R2DBC: their thread waits for them. Loaded only where there is one. */
final class ReactiveCallbacks implements CallbackFence {
    private final ReactiveLocalFence fence;

    ReactiveCallbacks(ReactiveLocalFence fence) {
        this.fence = fence;
    }

    @Override
    public Compensation compensate(
            String saga, String branch, String began, boolean forwardEnded, Duration age, CallbackWork work)
            throws Throwable {
        return CallingThread.await(here -> fence.compensate(saga, branch, began, forwardEnded, age, work, here));
    }

    @Override
    public Confirmation confirm(String saga, String branch, String began, CallbackWork work) throws Throwable {
        return CallingThread.await(here -> fence.confirm(saga, branch, began, work, here));
    }

    @Override
    public Found look(String saga, String branch, String began) throws Throwable {
        return CallingThread.await(here -> fence.look(saga, branch, began));
    }

    @Override
    public Duration retention() {
        return fence.retention();
    }

    @Override
    public void follow(String saga, String branch, String began, CallbackWork work) throws Throwable {
        boolean unused = CallingThread.await(here -> fence.follow(saga, branch, began, work, here));
    }
}
