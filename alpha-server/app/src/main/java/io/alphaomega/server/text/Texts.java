package io.alphaomega.server.text;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.ResourceBundle;
import java.util.ResourceBundle.Control;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sentences by their keys, in one language. {@code {0}} in a sentence is the first argument, and nothing else in it has a
 * meaning. What an argument says is never read as a sentence.
 */
public final class Texts {
    public static final Texts ENGLISH = new Texts(Locale.ENGLISH);

    /** Simplified Chinese. */
    public static final Texts CHINESE = new Texts(Locale.CHINESE);

    private static final String BUNDLE = "text/messages";

    private static final Pattern ARGUMENT = Pattern.compile("\\{(\\d+)}");

    private final Locale locale;
    private final Map<String, String> sentences;

    private Texts(Locale locale) {
        this.locale = locale;
        // The machine's own language is nobody's choice.
        Control control = Control.getNoFallbackControl(Control.FORMAT_PROPERTIES);
        ResourceBundle bundle = ResourceBundle.getBundle(BUNDLE, locale, control);
        Map<String, String> all = new TreeMap<>();
        for (String key : bundle.keySet()) all.put(key, bundle.getString(key));
        this.sentences = Collections.unmodifiableMap(all);
    }

    /** English for whoever asks for a language that alpha does not speak. */
    public static Texts in(Locale locale) {
        return locale.getLanguage().equals(Locale.CHINESE.getLanguage()) ? CHINESE : ENGLISH;
    }

    public Locale locale() {
        return locale;
    }

    public Map<String, String> sentences() {
        return sentences;
    }

    /** As it is written, without arguments; the key itself if there is no such sentence. */
    public String sentence(String key) {
        return sentences.getOrDefault(key, key);
    }

    public String say(String key, Object... arguments) {
        return ARGUMENT.matcher(sentence(key)).replaceAll(found -> {
            int index = Integer.parseInt(found.group(1));
            return Matcher.quoteReplacement(index < arguments.length ? text(arguments[index]) : found.group());
        });
    }

    /** Of a number, which is {@code {0}}: the sentence {@code key.one} of 1, {@code key} of any other. */
    public String count(String key, long number, Object... more) {
        Object[] arguments = new Object[more.length + 1];
        arguments[0] = number;
        System.arraycopy(more, 0, arguments, 1, more.length);
        return say(number == 1 ? key + ".one" : key, arguments);
    }

    private static String text(Object argument) {
        return argument instanceof Number number && !(argument instanceof Double)
                ? String.format(Locale.ROOT, "%,d", number.longValue())
                : String.valueOf(argument);
    }

    /**
     * In hours, minutes and seconds, rounded up: what is left of five minutes when a begin that travelled has come is told
     * as five minutes.
     */
    public String duration(Duration time) {
        if (time.compareTo(Duration.ofSeconds(1)) < 0) return say("time.ms", String.valueOf(time.toMillis()));
        Duration rounded = time.plusNanos(999_999_999).truncatedTo(ChronoUnit.SECONDS);
        String hours = rounded.toHours() == 0 ? "" : say("time.h", String.valueOf(rounded.toHours())) + " ";
        String minutes = rounded.toMinutesPart() == 0 ? "" : say("time.min", rounded.toMinutesPart()) + " ";
        String seconds = rounded.toSecondsPart() == 0 ? "" : say("time.s", rounded.toSecondsPart());
        return (hours + minutes + seconds).strip();
    }
}
