package io.alphaomega.omega.spring.fencing;

import io.alphaomega.omega.spring.config.OmegaConfigurationException;
import io.alphaomega.omega.spring.definition.BranchDefinition;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;

/**
 * The fences of a service through one kind of access: one for each transaction manager that branches name, each with a
 * table of its own, and the standard one of branches that name none.
 *
 * @param <F> a fence
 */
public final class Fences<F> implements InitializingBean, DisposableBean {
    private final Source<F> source;

    /** By what branches say; what means the same manager is the same fence. */
    private final Map<String, Guard<F>> byName = new ConcurrentHashMap<>();

    private final Map<String, Guard<F>> byManager = new LinkedHashMap<>();

    /** Where fences come from. */
    interface Source<F> {
        /**
         * The bean name of the transaction manager whose fence is meant where none is named; null if there is none.
         *
         * @throws OmegaConfigurationException if there are several
         */
        @Nullable
        String standard();

        /**
         * The bean name of the transaction manager that is named.
         *
         * @throws OmegaConfigurationException if there is none, or none that can have a fence
         */
        String named(String name);

        /** A new fence; its keeper has not been told yet that it is there. */
        Guard<F> make(String manager);
    }

    /**
     * A fence and what belongs to it.
     *
     * @param manager the bean name of its transaction manager
     * @param ids of its tables, as far as they are known; several if the database is chosen for each transaction
     */
    public record Guard<F>(String manager, F fence, FenceKeeper keeper, Supplier<Collection<String>> ids) {}

    public Fences(Source<F> source) {
        this.source = source;
    }

    /** The standard one is there from the start. That nobody can tell which it is matters to branches that need it. */
    @Override
    public void afterPropertiesSet() {
        try {
            if (source.standard() == null) return;
        } catch (OmegaConfigurationException several) {
            return;
        }
        F unused = of("");
    }

    /** Whether none is meant where none is named; not if several could be. */
    public boolean lackStandard() {
        try {
            return source.standard() == null;
        } catch (OmegaConfigurationException several) {
            return false;
        }
    }

    @Override
    public synchronized void destroy() {
        byManager.values().forEach(guard -> guard.keeper().destroy());
    }

    /** The fence of the branch; null if it names none, and there is no standard one. */
    public @Nullable F of(BranchDefinition branch) {
        return of(branch.fence());
    }

    /**
     * The fence of that name; of the empty one, the standard fence, or null if there is none.
     *
     * @throws OmegaConfigurationException if there is none of that name, or several could be the standard one
     */
    public @Nullable F of(String name) {
        Guard<F> known = byName.get(name);
        if (known != null) return known.fence();
        String manager = name.isEmpty() ? source.standard() : source.named(name);
        if (manager == null) return null;
        Guard<F> guard = made(manager);
        byName.put(name, guard);
        return guard.fence();
    }

    private synchronized Guard<F> made(String manager) {
        Guard<F> before = byManager.get(manager);
        if (before != null) return before;
        Guard<F> guard = source.make(manager);
        try {
            guard.keeper().afterPropertiesSet();
        } catch (RuntimeException e) {
            guard.keeper().destroy();
            throw e;
        }
        byManager.put(manager, guard);
        return guard;
    }

    /** All that there are by now. */
    public synchronized List<Guard<F>> all() {
        return List.copyOf(byManager.values());
    }
}
