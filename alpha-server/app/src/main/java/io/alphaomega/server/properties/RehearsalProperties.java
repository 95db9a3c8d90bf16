package io.alphaomega.server.properties;

import static io.alphaomega.server.properties.Refusals.refused;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Sagas that are aborted on purpose when their initiator commits, so that compensations run before they are needed.
 *
 * @param share the share of the sagas, 0 to 1; more than 0 only where a Spring profile is active, and none that has
 *     prod, prd, production or live in its name. Best the same on every node
 */
public record RehearsalProperties(@DefaultValue("0") double share) {
    public RehearsalProperties {
        if (!(share >= 0 && share <= 1)) throw refused("alpha.rehearsal.share", "0 to 1, such as 0.05", share);
    }
}
