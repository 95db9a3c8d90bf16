package io.alphaomega.omega.transport;

import io.alphaomega.omega.SagaEnd;
import io.alphaomega.omega.SagaStart;

/** Where sagas begin, and where those end that messages carry on. */
class Orders {
    @SagaStart
    public void run(Runnable business) {
        business.run();
    }

    /** Ends when somebody calls {@link #close}, who got a message. */
    @SagaStart(autoClose = false)
    public void open(Runnable business) {
        business.run();
    }

    @SagaEnd
    public void close() {}
}
