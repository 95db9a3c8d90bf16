package io.alphaomega.omega.spring.startup;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.spring.definition.BranchDefinition;
import io.alphaomega.omega.spring.fencing.FencedExecution;
import io.alphaomega.omega.spring.method.ReturnKind;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;

/** Branches that no fence guards, although they do not say that they need none; {@link AsyncChecks} names reactive ones. */
final class Unguarded {
    private static final Logger log = LoggerFactory.getLogger(Unguarded.class);

    private final List<String> operations = new ArrayList<>();
    private String annotation = "";

    void add(BranchDefinition branch, FencedExecution localWork) {
        if (localWork.fences()
                || localWork.fences(branch)
                || ReturnKind.of(branch.method()).isReactive()) return;
        Compensable said = AnnotatedElementUtils.findMergedAnnotation(branch.method(), Compensable.class);
        if (said == null || !said.fenced()) return;
        operations.add(branch.operation());
        annotation = branch.annotation();
    }

    void warn() {
        if (operations.isEmpty()) return;
        log.warn(
                "No fence guards these methods, since this service has no DataSource with a transaction manager: {}. A"
                        + " repeated call of them runs twice; a compensation may come twice, or for a call that never ran,"
                        + " and must do no harm then. Where that is so, say {}(fenced = false).",
                String.join(", ", operations),
                annotation);
    }
}
