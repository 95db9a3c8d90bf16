package io.alphaomega.omega.spring.definition;

import io.alphaomega.omega.SagaException;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Several beans of one class: each is called back for its own branches, so the name of each callback has that of the bean.
 */
final class Twins {
    private static final Logger log = LoggerFactory.getLogger(Twins.class);

    /** The beans that have the callback of that name. */
    private final Map<String, Set<String>> beans = new TreeMap<>();

    private final Map<String, CallbackMethod> callbacks = new TreeMap<>();

    /** The bean that an object is. */
    private final Map<Object, String> names = Collections.synchronizedMap(new IdentityHashMap<>());

    /** Each branch as that of one bean. */
    private final Map<Key, BranchDefinition> known = new ConcurrentHashMap<>();

    private record Key(Method branch, String bean) {}

    void add(CallbackMethod callback, String one, String other) {
        callbacks.putIfAbsent(callback.name(), callback);
        beans.computeIfAbsent(callback.name(), any -> new TreeSet<>()).addAll(List.of(one, other));
    }

    Collection<CallbackMethod> callbacks() {
        return callbacks.values();
    }

    Set<String> beansOf(String name) {
        return beans.getOrDefault(name, Set.of());
    }

    /** What the callback of that bean is called. */
    static String name(String callback, String bean) {
        return callback + "@" + bean;
    }

    /** What it would be called if there were one bean. */
    String plain(String name) {
        int at = name.lastIndexOf('@');
        return at > 0 && beansOf(name.substring(0, at)).contains(name.substring(at + 1)) ? name.substring(0, at) : name;
    }

    /** All beans are there now, and the object of each. */
    void settle(Map<String, Object> made) {
        beans.forEach((name, its) -> log.info(
                "The callback '{}' is that of several beans of one class, {}: their callbacks are named with the bean, as in '{}'.",
                name,
                its,
                name(name, its.iterator().next())));
        made.forEach((bean, object) -> names.put(Participants.target(object), bean));
    }

    /**
     * The branch as that of the object: its callbacks are those of the bean.
     *
     * @throws SagaException if the object is none of the beans
     */
    BranchDefinition of(Object called, BranchDefinition branch) {
        if (beans.isEmpty()) return branch;
        Set<String> its = beansOf(branch.compensation().name());
        if (its.isEmpty()) return branch;
        String bean = names.get(Participants.target(called));
        if (bean == null || !its.contains(bean)) {
            throw new SagaException(
                    "%s did not run: its object is none of the beans %s of its class, so nobody knows whose callback undoes it. Call one of these, or make it a class of its own."
                            .formatted(branch.operation(), its));
        }
        return known.computeIfAbsent(
                new Key(branch.method(), bean), key -> branch.ofBean(callback -> named(callback, bean)));
    }

    private CallbackMethod named(CallbackMethod callback, String bean) {
        return beansOf(callback.name()).contains(bean) ? callback.named(name(callback.name(), bean)) : callback;
    }
}
