package io.alphaomega.omega.spring.definition;

import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.spring.config.OmegaConfigurationException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** The callbacks this service offers, by their logical names and those that they had before. */
public final class OfferedCallbacks {
    private final Map<String, Offered> byName = new ConcurrentSkipListMap<>();

    /** What follows a callback, by the name that it has now. */
    private final Map<String, Offered> sequels = new ConcurrentSkipListMap<>();

    private final Twins twins = new Twins();

    /** A callback and the bean that has it. */
    public record Offered(String bean, CallbackMethod callback) {}

    /** Offers a callback; the same one may be offered again, by another method that it compensates. */
    public void offer(String bean, CallbackMethod callback) {
        offer(callback.name(), bean, callback);
        callback.aliases().forEach(alias -> offer(alias, bean, callback));
    }

    /** The same for a method of the bean's class, of which there may be several beans. */
    public void offerOfClass(String bean, CallbackMethod callback) {
        Offered before = byName.get(callback.name());
        if (before == null || before.bean().equals(bean) || !before.callback().does(callback)) offer(bean, callback);
        else twins.add(callback, before.bean(), bean);
    }

    private void offer(String name, String bean, CallbackMethod callback) {
        Offered before = byName.putIfAbsent(name, new Offered(bean, callback));
        if (before == null) return;
        boolean same = before.bean().equals(bean) && before.callback().does(callback);
        boolean otherFence = before.bean().equals(bean)
                && before.callback().behind(callback.fence()).does(callback);
        if (!same && otherFence) {
            throw new OmegaConfigurationException(
                    "%s is the callback '%s' of branches behind different fences, that of '%s' and that of '%s': it would not know whose rows to ask."
                            .formatted(
                                    callback.describe(), name, before.callback().fence(), callback.fence()),
                    "Name the same fence in the annotations of these branches, or give each a callback of its own.");
        }
        if (!same) {
            throw new OmegaConfigurationException(
                    "Two callbacks are named '%s': %s of bean '%s' and %s of bean '%s'."
                            .formatted(name, before.callback().describe(), before.bean(), callback.describe(), bean),
                    "Alpha must know which to call: give one another name, with @Compensable(name = …),"
                            + " @Participate(confirmName = …, cancelName = …) or @AfterCommit(name = …); or take the name"
                            + " out of the aliases of one.");
        }
    }

    /** All that are made at startup have been offered: those of several beans of one class get names of their own. */
    public void settle(Map<String, Object> made) {
        for (CallbackMethod callback : twins.callbacks()) {
            byName.remove(callback.name());
            callback.aliases().forEach(byName::remove); // Neither says which bean is meant.
            for (String bean : twins.beansOf(callback.name())) {
                String its = Twins.name(callback.name(), bean);
                byName.put(its, new Offered(bean, callback.named(its)));
            }
        }
        twins.settle(made);
    }

    /** The branch as that of the called object. */
    BranchDefinition of(Object called, BranchDefinition branch) {
        return twins.of(called, branch);
    }

    /** Of a bean that was made after startup, when alpha had been told. */
    public void requireOffered(String bean, CallbackMethod callback) {
        if (byName.containsKey(callback.name())) return;
        throw new OmegaConfigurationException(
                "%s is the callback '%s', but its bean '%s' was made after startup, when alpha had been told all callbacks of this service: it would never be called."
                        .formatted(callback.describe(), callback.name(), bean),
                "Let the type of the bean say at startup that it has a branch: return its class from the @Bean method, or"
                        + " from getObjectType() of its FactoryBean. Or have it made then, with @Lazy(false).");
    }

    /** That method is called whenever the callback of that name has been done. */
    void follow(String name, String bean, CallbackMethod sequel) {
        sequels.put(name, new Offered(bean, sequel));
    }

    public @Nullable Offered sequel(String name) {
        Offered offered = byName.get(name);
        return offered == null
                ? null
                : sequels.get(twins.plain(offered.callback().name()));
    }

    /**
     * That this instance will be asked for all callbacks of a branch.
     *
     * @throws SagaException before the branch runs
     */
    public void requireOffered(BranchDefinition branch) {
        requireOffered(branch, branch.compensation());
        if (branch.confirmation() != null) requireOffered(branch, branch.confirmation());
    }

    private void requireOffered(BranchDefinition branch, CallbackMethod callback) {
        if (byName.containsKey(callback.name())) return;
        throw new SagaException(
                "%s did not run: no bean that omega has found at startup offers its callback '%s', so no instance could be asked for it. The object was made later, by hand, or in an application context that has no omega of its own. Make it a bean of the context with omega."
                        .formatted(branch.operation(), callback.name()));
    }

    public @Nullable Offered find(String name) {
        return byName.get(name);
    }

    public List<Offered> offered() {
        return List.copyOf(byName.values());
    }

    public List<String> names() {
        return List.copyOf(byName.keySet());
    }
}
