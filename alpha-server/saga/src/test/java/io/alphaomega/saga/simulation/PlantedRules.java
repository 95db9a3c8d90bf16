package io.alphaomega.saga.simulation;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.NullMarked;

/** The rules with one bug in them, compiled in memory, and everything that is tried on them, loaded anew beside them. */
final class PlantedRules extends ClassLoader {
    private static final String RULES = "io.alphaomega.saga.";
    /** Of the rules, and of what is simulated around them. */
    private static final List<Path> SOURCES =
            List.of(Path.of("src/main/java/io/alphaomega/saga"), Path.of("src/test/java/io/alphaomega/saga"));

    private static final List<String> CLASSES = List.of("target/classes", "target/test-classes");

    private final Map<String, byte[]> planted;

    private PlantedRules(Map<String, byte[]> planted) {
        super(PlantedRules.class.getClassLoader());
        this.planted = planted;
    }

    static PlantedRules sound() {
        return new PlantedRules(Map.of());
    }

    static PlantedRules with(PlantedBug bug) {
        String source = read(bug.file());
        int at = source.indexOf(bug.found());
        if (at < 0 || source.indexOf(bug.found(), at + 1) >= 0) {
            throw new AssertionError(
                    "The bug '%s' cannot be planted: %s.java should have this text exactly once, but has it %s. Plant it where the text has gone:%n%s"
                            .formatted(bug.name(), bug.file(), at < 0 ? "nowhere" : "more than once", bug.found()));
        }
        return new PlantedRules(compile(bug, source.replace(bug.found(), bug.instead())));
    }

    /** The result of a static method without parameters of a class loaded here, which must be of the JDK. */
    Object run(String type, String method) {
        try {
            Method entry = loadClass(type).getDeclaredMethod(method);
            entry.setAccessible(true);
            return entry.invoke(null);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(type + "." + method + " threw " + e.getCause(), e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(RULES)) return super.loadClass(name, resolve);
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

    private static String read(String file) {
        try {
            for (Path sources : SOURCES) {
                Path source = sources.resolve(file + ".java");
                if (Files.exists(source)) return Files.readString(source);
            }
            throw new AssertionError("There is no source " + file + ".java in " + SOURCES);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, byte[]> compile(PlantedBug bug, String source) {
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        Path jspecify = Path.of(URI.create(NullMarked.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toString()));
        List<String> options = List.of(
                "-proc:none",
                "-nowarn",
                "-cp",
                String.join(File.pathSeparator, CLASSES) + File.pathSeparator + jspecify);
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
