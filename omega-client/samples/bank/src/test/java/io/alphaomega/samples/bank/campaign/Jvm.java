package io.alphaomega.samples.bank.campaign;

import io.alphaomega.repository.servers.AlphaCommand;
import io.alphaomega.samples.bank.campaign.hooks.Child;
import io.alphaomega.samples.bank.campaign.hooks.Order;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.aspectj.lang.annotation.Aspect;

/** The command lines of the servers: jars that users get, what the build put beside them, and the hooks of the tests. */
final class Jvm {
    private static final String HEAP = "-Xmx256m";

    private Jvm() {}

    /** @param orders the file in which it looks for orders */
    static List<String> alpha(Path orders, List<String> arguments) {
        List<String> command = AlphaCommand.behind(
                Child.class.getName(),
                hooks(),
                directory("alpha.target").resolve("alpha-server.jar"),
                HEAP,
                orders(orders));
        command.addAll(arguments);
        return command;
    }

    /** @param orders the file in which it looks for orders */
    static List<String> bank(String main, Path orders, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                HEAP,
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xlog:cds=off",
                "-Xshare:auto",
                "--sun-misc-unsafe-memory-access=allow",
                "--enable-native-access=ALL-UNNAMED",
                orders(orders),
                "-cp",
                directory("bank.target").resolve("bank.jar") + ":"
                        + directory("bank.target").resolve("lib") + "/*:" + hooks() + ":" + aspects(),
                Child.class.getName(),
                main));
        command.addAll(arguments);
        return command;
    }

    private static String orders(Path file) {
        return "-D" + Order.PROPERTY + "=" + file;
    }

    private static Path hooks() {
        return directory("bank.target").resolve("bank-hooks.jar");
    }

    /** What hooks in services are written with; services themselves have none of it. */
    private static Path aspects() {
        return Path.of(URI.create(
                Aspect.class.getProtectionDomain().getCodeSource().getLocation().toString()));
    }

    /** A directory that the build names. */
    static Path directory(String property) {
        String path = System.getProperty(property);
        if (path == null) {
            throw new IllegalStateException("The campaign is run by Maven, which says by " + property
                    + " where the jars are: scripts/test, or mvn verify.");
        }
        return Path.of(path).toAbsolutePath().normalize();
    }
}
