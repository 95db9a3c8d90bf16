package io.alphaomega.samples.bank.campaign;

import io.alphaomega.samples.bank.campaign.hooks.Child;
import io.alphaomega.samples.bank.campaign.hooks.Order;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of a server: a jar that users get, what the build put beside it, and the hooks of the tests. */
enum Jvm {
    ALPHA("alpha.target", "alpha-server.jar"),
    BANK("bank.target", "bank.jar");

    private final String target;
    private final String jar;

    Jvm(String target, String jar) {
        this.target = target;
        this.jar = jar;
    }

    /** @param orders the file in which it looks for orders */
    List<String> command(String main, Path orders, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xlog:cds=off",
                "-Xshare:auto",
                "--sun-misc-unsafe-memory-access=allow",
                "--enable-native-access=ALL-UNNAMED",
                "-D" + Order.PROPERTY + "=" + orders,
                "-cp",
                directory(target).resolve(jar) + ":" + directory(target).resolve("lib") + "/*:"
                        + directory("bank.target").resolve("bank-hooks.jar"),
                Child.class.getName(),
                main));
        command.addAll(arguments);
        return command;
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
