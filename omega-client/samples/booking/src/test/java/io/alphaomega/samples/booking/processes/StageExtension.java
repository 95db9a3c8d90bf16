package io.alphaomega.samples.booking.processes;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests the one {@link Stage} that all classes of a JVM share: starting four servers takes longer than most of the
 * tests. Its processes end with the JVM.
 */
final class StageExtension implements ParameterResolver {
    private static @Nullable Stage shared;

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
        return parameter.getParameter().getType().equals(Stage.class);
    }

    @Override
    public Stage resolveParameter(ParameterContext parameter, ExtensionContext test) {
        if (shared == null) shared = new Stage("shared").start();
        shared.recover();
        shared.warmUp();
        return shared;
    }
}
