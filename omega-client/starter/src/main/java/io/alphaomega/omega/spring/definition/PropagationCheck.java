package io.alphaomega.omega.spring.definition;

import io.alphaomega.omega.CallbackOrder;
import io.alphaomega.omega.SagaPropagation;
import io.alphaomega.omega.SagaSettings;
import io.alphaomega.omega.SagaStart;
import io.alphaomega.omega.spring.config.OmegaConfigurationException;
import io.alphaomega.omega.spring.method.Names;
import io.alphaomega.omega.spring.method.ReturnKind;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether what a {@link SagaStart} method says about sagas can mean anything with its propagation. */
public final class PropagationCheck {
    private static final Logger log = LoggerFactory.getLogger(PropagationCheck.class);

    private PropagationCheck() {}

    public static void check(Method method, SagaStart start) {
        SagaPropagation propagation = start.propagation();
        if (ReturnKind.of(method) != ReturnKind.NOW) requireOwnSaga(method, propagation);
        List<String> ofBeginning = ofBeginning(start);
        if (propagation == SagaPropagation.NESTED) requireWhole(method, start);
        if (!propagation.mayBegin()) {
            List<String> idle = new ArrayList<>(ofBeginning);
            if (!propagation.mayJoin()) idle.addAll(ofAborting(start));
            if (idle.isEmpty()) return;
            throw new OmegaConfigurationException(
                    "%s says %s, but with propagation %s it %s, so that would mean nothing."
                            .formatted(
                                    Names.of(method),
                                    String.join(", ", idle),
                                    propagation,
                                    propagation.mayJoin() ? "begins no saga" : "runs in no saga"),
                    "Say it where the saga begins, or choose another propagation.");
        }
        if (propagation.mayJoin() && !ofBeginning.isEmpty()) {
            log.info(
                    "{} says {}: that holds where it begins a saga. Where it joins one (propagation {}), what is said"
                            + " there holds.",
                    Names.of(method),
                    String.join(", ", ofBeginning),
                    propagation);
        }
    }

    /** In a saga of somebody else's nobody would wait for what is done later. */
    private static void requireOwnSaga(Method method, SagaPropagation propagation) {
        if (propagation.mayBegin() && !propagation.mayJoin()) return;
        throw new OmegaConfigurationException(
                "%s has propagation %s, but %s: what is done later can only have a saga of its own, or one that is a part of the other."
                        .formatted(Names.of(method), propagation, ReturnKind.said(method)),
                "Leave the propagation out, say NESTED or REQUIRES_NEW, or return the plain value.");
    }

    /** A saga that is a part of another ends with its method, and is as many as its calls. */
    private static void requireWhole(Method method, SagaStart start) {
        List<String> said = new ArrayList<>();
        if (!start.autoClose()) said.add("autoClose = false");
        if (!start.awaitDecision()) said.add("awaitDecision = false");
        if (start.unique()) said.add("unique");
        if (said.isEmpty()) return;
        throw new OmegaConfigurationException(
                "%s says %s, but with propagation NESTED it begins a part of another saga, which cannot be so."
                        .formatted(Names.of(method), String.join(", ", said)),
                "Leave that out, or choose another propagation.");
    }

    private static void requireWhole(SagaSettings settings) {
        List<String> said = new ArrayList<>();
        if (settings.isLeftOpen()) said.add("leftOpen");
        if (!settings.awaitsDecision()) said.add("withoutAwaitingDecision");
        if (settings.isUnique()) said.add("unique");
        if (said.isEmpty()) return;
        throw new IllegalArgumentException(
                "%s says %s, which a saga that is a part of another (NESTED) cannot be; it did not run."
                        .formatted(settings.name(), String.join(", ", said)));
    }

    /**
     * Requires that all settings mean something with that propagation.
     *
     * @throws IllegalArgumentException if something would mean nothing; nothing has run
     */
    public static void check(SagaSettings settings) {
        SagaPropagation propagation = settings.propagation();
        if (propagation == SagaPropagation.NESTED) requireWhole(settings);
        if (propagation.mayBegin()) return;
        List<String> idle = new ArrayList<>();
        if (!settings.timeout().isZero()) idle.add("a timeout");
        if (settings.isLeftOpen()) idle.add("leftOpen");
        if (!settings.awaitsDecision()) idle.add("withoutAwaitingDecision");
        if (!settings.businessKey().isEmpty()) idle.add("a businessKey");
        if (settings.isUnique()) idle.add("unique");
        if (!settings.attributes().isEmpty()) idle.add("attributes");
        if (settings.order() != CallbackOrder.SEQUENTIAL) idle.add("an order");
        if (!propagation.mayJoin() && !settings.abortFor().isEmpty()) idle.add("abortFor");
        if (!propagation.mayJoin() && !settings.noAbortFor().isEmpty()) idle.add("noAbortFor");
        if (idle.isEmpty()) return;
        throw new IllegalArgumentException("%s says %s, which means nothing with propagation %s; it did not run."
                .formatted(settings.name(), String.join(", ", idle), propagation));
    }

    private static List<String> ofBeginning(SagaStart start) {
        List<String> said = new ArrayList<>();
        if (!start.timeout().isEmpty()) said.add("timeout");
        if (!start.autoClose()) said.add("autoClose");
        if (!start.awaitDecision()) said.add("awaitDecision");
        if (!start.businessKey().isEmpty()) said.add("businessKey");
        if (start.unique()) said.add("unique");
        if (start.attributes().length > 0) said.add("attributes");
        if (start.order() != CallbackOrder.SEQUENTIAL) said.add("order");
        return said;
    }

    private static List<String> ofAborting(SagaStart start) {
        List<String> said = new ArrayList<>();
        if (start.abortFor().length > 0) said.add("abortFor");
        if (start.noAbortFor().length > 0) said.add("noAbortFor");
        return said;
    }
}
