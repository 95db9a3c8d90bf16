package io.alphaomega.omega.coexistence;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringTokenizer;
import org.jspecify.annotations.Nullable;

/**
 * This test's class path, in parts: that of a service which depends on certain artifacts, and on nothing else. Which jar
 * needs which others is said by the POM that Maven's repository keeps beside each.
 */
final class ClassPath {
    private static final String OURS = "io.alphaomega";

    /** Keys of artifacts, group:artifact, and what of this class path they are: several jars where there are classifiers. */
    private final Map<String, Set<Path>> jars = new HashMap<>();

    private final Map<String, Pom> poms = new HashMap<>();

    /** Classes of this module, and what of omega and its protocol Maven has compiled in this build. */
    private final List<Path> tests = new ArrayList<>();

    private final List<Path> ours = new ArrayList<>();
    private final Path module = Path.of("").toAbsolutePath();

    ClassPath() {
        StringTokenizer entries = new StringTokenizer(System.getProperty("java.class.path"), File.pathSeparator);
        while (entries.hasMoreTokens()) {
            Path path = Path.of(entries.nextToken()).toAbsolutePath().normalize();
            Path file = pomBeside(path);
            Pom pom = file == null ? null : Pom.of(file);
            if (pom != null && !pom.key().startsWith(OURS)) {
                jars.computeIfAbsent(pom.key(), key -> new LinkedHashSet<>()).add(path);
                poms.put(pom.key(), pom);
            } else if (path.toString().contains(module.getFileName() + "/")) {
                tests.add(path);
            } else {
                ours.add(path);
            }
        }
    }

    private static @Nullable Path pomBeside(Path jar) {
        if (!jar.toString().endsWith(".jar")) return null;
        Path version = jar.resolveSibling("");
        Path pom =
                version.resolve(jar.resolve("../..").normalize().getFileName() + "-" + version.getFileName() + ".pom");
        return Files.exists(pom) ? pom : null;
    }

    /** Of a service with these artifacts, and all that they need. */
    Set<Path> of(Collection<String> artifacts) {
        Set<Path> path = new LinkedHashSet<>(tests);
        add(artifacts, path);
        return path;
    }

    /** Of the same service, with omega. */
    Set<Path> withOmega(Collection<String> artifacts, String starter) {
        Set<Path> path = of(artifacts);
        path.addAll(ours);
        for (String pom : List.of("../" + starter, "../../alpha-server/protocol")) {
            add(Pom.of(module.resolve(pom).resolve("pom.xml")).dependencies(), path);
        }
        return path;
    }

    private void add(Collection<String> artifacts, Set<Path> path) {
        Deque<String> open = new ArrayDeque<>(artifacts);
        Set<String> seen = new LinkedHashSet<>();
        while (!open.isEmpty()) {
            String next = open.remove();
            if (!seen.add(next) || next.startsWith(OURS)) continue;
            Pom pom = poms.get(next);
            if (pom == null) {
                if (artifacts.contains(next)) throw new IllegalArgumentException(next + " is not on this class path.");
                continue; // Excluded by the POM of this module's, or of a starter.
            }
            path.addAll(jars.getOrDefault(next, Set.of()));
            open.addAll(pom.dependencies());
        }
    }

    static URL[] urls(Collection<Path> path) {
        return path.stream().map(ClassPath::url).toArray(URL[]::new);
    }

    private static URL url(Path entry) {
        try {
            return entry.toUri().toURL();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
