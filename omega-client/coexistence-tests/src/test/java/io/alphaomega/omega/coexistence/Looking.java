package io.alphaomega.omega.coexistence;

import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.BiFunction;

/** Looks at a service from inside: on a class path of its own, which shares nothing with this one but the JDK. */
final class Looking {
    private static final String PROBE = "io.alphaomega.omega.coexistence.service.Probe";

    private Looking() {}

    @SuppressWarnings("unchecked")
    static SortedMap<String, String> at(
            Collection<Path> classPath, List<String> parts, Map<String, Object> properties) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        // Never closed: threads of the service may end later than it does.
        URLClassLoader loader = new URLClassLoader(ClassPath.urls(classPath), ClassLoader.getPlatformClassLoader());
        try {
            thread.setContextClassLoader(loader);
            Object probe = loader.loadClass(PROBE).getConstructor().newInstance();
            return ((BiFunction<List<String>, Map<String, Object>, SortedMap<String, String>>) probe)
                    .apply(parts, new HashMap<>(properties));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
