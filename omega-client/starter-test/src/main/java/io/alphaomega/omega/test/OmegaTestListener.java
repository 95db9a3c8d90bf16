package io.alphaomega.omega.test;

import java.util.Collection;
import java.util.List;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.core.Ordered;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestExecutionListener;

/** Gives each test method an alpha that is empty, and sees that what was planned has happened. */
final class OmegaTestListener implements TestExecutionListener, Ordered {
    @Override
    public void beforeTestMethod(TestContext test) {
        for (TestAlpha alpha : alphas(test)) alpha.reset();
    }

    /** A test that has failed already says why itself. */
    @Override
    public void afterTestMethod(TestContext test) {
        if (test.getTestException() != null) return;
        for (TestAlpha alpha : alphas(test)) alpha.requireTroublesHappened();
    }

    /** None is made by being asked for. */
    private static Collection<TestAlpha> alphas(TestContext test) {
        if (!test.hasApplicationContext()) return List.of();
        return BeanFactoryUtils.beansOfTypeIncludingAncestors(
                        test.getApplicationContext(), TestAlpha.class, false, false)
                .values();
    }

    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }
}
