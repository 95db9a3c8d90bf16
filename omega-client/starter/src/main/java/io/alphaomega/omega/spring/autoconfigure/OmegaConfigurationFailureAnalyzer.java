package io.alphaomega.omega.spring.autoconfigure;

import io.alphaomega.omega.spring.config.OmegaConfigurationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows what omega found wrong at start-up as two sentences instead of a stack trace. */
public final class OmegaConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<OmegaConfigurationException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, OmegaConfigurationException cause) {
        return new FailureAnalysis(cause.problem(), cause.action(), cause);
    }
}
