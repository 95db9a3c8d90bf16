package io.alphaomega.benchmark;

import java.io.File;
import java.util.List;
import java.util.Optional;

/** What was said on the command line, as far as Java can tell: it decodes that by the locale. */
final class ArgumentEncoding {
    private static final String UTF_8 = "UTF-8";

    private static final char UNDECODABLE = '\ufffd';

    private ArgumentEncoding() {}

    /** Why one of them is something else than what was said, if one is. */
    static Optional<String> unreadable(List<String> arguments) {
        return unreadable(arguments, System.getProperty("sun.jnu.encoding"));
    }

    /** @param encoding of the locale, as Java calls it */
    static Optional<String> unreadable(List<String> arguments, String encoding) {
        // There Java gets them from the system as characters.
        boolean decoded = File.separatorChar == '/' && !encoding.equalsIgnoreCase(UTF_8);
        return arguments.stream()
                .filter(argument -> argument.indexOf(UNDECODABLE) >= 0
                        || (decoded && argument.chars().anyMatch(letter -> letter > 127)))
                .findFirst()
                .map(argument -> decoded
                        ? "'%s' is not what was said: Java decodes it by the locale, which has %s and not UTF-8. Set LC_ALL=C.UTF-8, as scripts/alpha-benchmark does by itself."
                                .formatted(argument, encoding)
                        : "'%s' has bytes that are not UTF-8: write it in UTF-8.".formatted(argument));
    }
}
