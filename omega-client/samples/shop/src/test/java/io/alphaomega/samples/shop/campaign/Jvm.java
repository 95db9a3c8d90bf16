package io.alphaomega.samples.shop.campaign;

import io.alphaomega.repository.servers.Command;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The commands of the JVMs that are started: a quick start counts, as they are started again and again. */
final class Jvm {
    /** The class path of the services. */
    static final String SHOP = directory("shop.target").resolve("shop.jar") + ":"
            + directory("shop.target").resolve("lib") + "/*";

    private Jvm() {}

    /** Up to the main class. */
    static Command command(int heapMegabytes, String classPath, String... options) {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heapMegabytes + "m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--sun-misc-unsafe-memory-access=allow",
                "--enable-native-access=ALL-UNNAMED"));
        words.addAll(List.of(options));
        words.addAll(List.of("-cp", classPath));
        return Command.of(words.toArray());
    }

    /** A directory that the build names. */
    static Path directory(String property) {
        String path = System.getProperty(property);
        if (path == null) {
            throw new IllegalStateException("The campaign is run by Maven, which says by " + property
                    + " where the jars are: scripts/test --long shop, or mvn verify -Plong.");
        }
        return Path.of(path).toAbsolutePath().normalize();
    }
}
