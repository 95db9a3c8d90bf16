package io.alphaomega.server.properties;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Explains a start that failed because of an unknown property or a nonsensical value. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class RefusedPropertyAnalyzer extends AbstractFailureAnalyzer<RefusedPropertyException> {
    @Override
    protected FailureAnalysis analyze(Throwable failure, RefusedPropertyException refused) {
        return new FailureAnalysis(String.valueOf(refused.getMessage()), null, refused);
    }
}
