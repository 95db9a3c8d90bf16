package io.alphaomega.samples.booking.processes;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives tests the one {@link Stage} that they share: starting four servers takes longer than most of the tests. */
final class StageExtension implements ParameterResolver {
    private static final ExtensionContext.Namespace SHARED = ExtensionContext.Namespace.create(StageExtension.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
        return parameter.getParameter().getType().equals(Stage.class);
    }

    @Override
    public Stage resolveParameter(ParameterContext parameter, ExtensionContext test) {
        Stage stage = test.getRoot()
                .getStore(SHARED)
                .computeIfAbsent("stage", key -> new Stage("shared").start(), Stage.class);
        stage.recover();
        return stage;
    }
}
