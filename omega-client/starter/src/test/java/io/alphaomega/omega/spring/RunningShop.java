package io.alphaomega.omega.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.alphaomega.omega.Omega;
import io.alphaomega.omega.context.PendingReports;
import io.alphaomega.omega.context.SagaContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A test's view of an application with the {@link Shop}. */
record RunningShop(Shop.Counter counter, Shop.Orders orders, TransactionTemplate transaction, Omega omega) {

    /** What a test does with it. */
    interface Story {
        void tell(RunningShop app);
    }

    static void run(ApplicationContextRunner application, Story story) {
        application.run(context -> {
            assertThat(context).hasNotFailed();
            story.tell(new RunningShop(
                    context.getBean(Shop.Counter.class),
                    context.getBean(Shop.Orders.class),
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class)),
                    context.getBean(Omega.class)));
        });
    }

    /** In the saga of this thread as if a service had called that says nothing of it: branches report by themselves. */
    static Runnable calledByAnother(Runnable business) {
        return () -> {
            SagaContext here = SagaContext.current().orElseThrow();
            SagaContext.Scope scope = SagaContext.received(
                            here.saga(), "", "call", here.decidedByNanos(), "", PendingReports.nothing(here.saga()))
                    .open();
            try {
                business.run();
            } finally {
                scope.close();
            }
        };
    }

    Throwable thrownBy(Runnable business) {
        return catchThrowable(() -> counter.run(business));
    }

    void expectFailureOf(Runnable business) {
        assertThat(thrownBy(business)).isNotNull();
    }
}
