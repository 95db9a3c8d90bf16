package io.alphaomega.benchmark.report;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** A command line as one would type it, without what nobody should see. */
final class CommandText {
    private static final Pattern PLAIN = Pattern.compile("[\\w@%+=:,./-]+");
    private static final Pattern SECRET = Pattern.compile("--(token|[a-z-]*password)");
    private static final String HIDDEN = "***";

    private CommandText() {}

    /** @param arguments after the program's name */
    static String of(List<String> arguments) {
        List<String> words = new ArrayList<>(List.of("alpha-benchmark"));
        boolean hide = false;
        for (String argument : arguments) {
            String option = argument.replaceFirst("=.*", "");
            boolean secret = SECRET.matcher(option).matches();
            if (hide) words.add(HIDDEN);
            else if (secret && !option.equals(argument)) words.add(option + "=" + HIDDEN);
            else words.add(quoted(argument));
            hide = !hide && secret && option.equals(argument);
        }
        return String.join(" ", words);
    }

    private static String quoted(String argument) {
        return PLAIN.matcher(argument).matches() ? argument : "'" + argument.replace("'", "'\\''") + "'";
    }
}
