package io.alphaomega.repository.jdbc.server;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The first numbers of what a server says its version is. */
record ServerVersion(int major, int minor, int patch) implements Comparable<ServerVersion> {
    private static final Pattern NUMBERS = Pattern.compile("^(\\d+)(?:\\.(\\d+))?(?:\\.(\\d+))?");
    private static final Comparator<ServerVersion> ORDER = Comparator.comparingInt(ServerVersion::major)
            .thenComparingInt(ServerVersion::minor)
            .thenComparingInt(ServerVersion::patch);

    static ServerVersion of(String text) {
        Matcher numbers = NUMBERS.matcher(text);
        if (!numbers.find()) throw new IllegalStateException("'" + text + "' is not the version of a server");
        return new ServerVersion(number(numbers, 1), number(numbers, 2), number(numbers, 3));
    }

    private static int number(Matcher numbers, int group) {
        return numbers.group(group) == null ? 0 : Integer.parseInt(numbers.group(group));
    }

    @Override
    public int compareTo(ServerVersion that) {
        return ORDER.compare(this, that);
    }

    @Override
    public String toString() {
        return major + "." + minor + "." + patch;
    }
}
