package io.alphaomega.omega.simulation;

import io.alphaomega.omega.rules.BranchRules;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.NullMarked;

/** Omega's rules with one bug in them, compiled in memory, and the simulation, loaded anew beside them. */
final class BuggyRules extends ClassLoader {
    private static final String RULES = "io.alphaomega.omega.rules.";
    private static final String SIMULATION = "io.alphaomega.omega.simulation.";
    private static final Path SOURCES = Path.of("../starter/src/main/java/io/alphaomega/omega/rules");

    private final Map<String, byte[]> planted;

    private BuggyRules(Map<String, byte[]> planted) {
        super(BuggyRules.class.getClassLoader());
        this.planted = planted;
    }

    static BuggyRules sound() {
        return new BuggyRules(Map.of());
    }

    static BuggyRules with(RuleBug bug) throws IOException {
        String source = Files.readString(SOURCES.resolve(bug.file() + ".java"));
        int at = source.indexOf(bug.found());
        if (at < 0 || source.indexOf(bug.found(), at + 1) >= 0) {
            throw new AssertionError(
                    "The bug '%s' cannot be planted: %s.java should have this text exactly once, but has it %s. Plant it where the text has gone:%n%s"
                            .formatted(bug.name(), bug.file(), at < 0 ? "nowhere" : "more than once", bug.found()));
        }
        return new BuggyRules(compile(bug, source.replace(bug.found(), bug.instead())));
    }

    /** The first seed of the simulation that goes wrong. */
    Optional<?> firstFailure() throws ReflectiveOperationException {
        Method entry = loadClass(SIMULATION + "History").getDeclaredMethod("firstFailure");
        entry.setAccessible(true);
        try {
            return (Optional<?>) entry.invoke(null);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(RULES) && !name.startsWith(SIMULATION)) return super.loadClass(name, resolve);
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : findClass(name);
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] bytes = planted.get(name);
        if (bytes == null) bytes = original(name);
        return defineClass(name, bytes, 0, bytes.length);
    }

    private byte[] original(String name) throws ClassNotFoundException {
        try (InputStream stream = getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (stream == null) throw new ClassNotFoundException(name);
            return stream.readAllBytes();
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    private static Map<String, byte[]> compile(RuleBug bug, String source) {
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        List<String> options = List.of(
                "-proc:none",
                "-nowarn",
                "-cp",
                location(BranchRules.class) + File.pathSeparator + location(NullMarked.class));
        StringWriter said = new StringWriter();
        Compiled compiled = new Compiled(javac.getStandardFileManager(null, null, null));
        if (!javac.getTask(said, compiled, null, options, null, List.of(new Source(bug.file(), source)))
                .call()) {
            throw new AssertionError("The bug '%s' does not compile:%n%s".formatted(bug.name(), said));
        }
        Map<String, byte[]> classes = new HashMap<>();
        compiled.outputs.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
        return classes;
    }

    private static String location(Class<?> type) {
        return Path.of(URI.create(
                        type.getProtectionDomain().getCodeSource().getLocation().toString()))
                .toString();
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String name, String text) {
            super(URI.create("string:///" + RULES.replace('.', '/') + name + ".java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private static final class Compiled extends ForwardingJavaFileManager<JavaFileManager> {
        private final Map<String, ByteArrayOutputStream> outputs = new HashMap<>();

        Compiled(JavaFileManager files) {
            super(files);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
            return new SimpleJavaFileObject(URI.create("memory:///" + name), kind) {
                @Override
                public OutputStream openOutputStream() {
                    ByteArrayOutputStream output = new ByteArrayOutputStream();
                    outputs.put(name, output);
                    return output;
                }
            };
        }
    }
}
