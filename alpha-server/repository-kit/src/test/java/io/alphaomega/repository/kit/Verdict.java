package io.alphaomega.repository.kit;

import java.util.ArrayList;
import java.util.List;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** What became of the tests of one trial. */
final class Verdict implements TestExecutionListener {
    final List<String> passed = new ArrayList<>();
    final List<String> failed = new ArrayList<>();
    final List<String> skipped = new ArrayList<>();

    private Verdict() {}

    static Verdict of(DiscoverySelector... tests) {
        Verdict verdict = new Verdict();
        LauncherDiscoveryRequest trial =
                LauncherDiscoveryRequestBuilder.request().selectors(tests).build();
        LauncherFactory.create().execute(trial, verdict);
        return verdict;
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        String name = name(test);
        if (result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) failed.add(name);
        else if (test.isTest()) passed.add(name);
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        skipped.add(name(test));
    }

    private static String name(TestIdentifier test) {
        return test.getSource()
                .filter(MethodSource.class::isInstance)
                .map(source -> ((MethodSource) source).getMethodName())
                .orElse(test.getDisplayName());
    }
}
