package io.alphaomega.server.console;

import static java.util.Objects.requireNonNull;

import gg.jte.support.LocalizationSupport;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.saga.Stuck;
import io.alphaomega.server.sweep.StuckSagas;
import io.alphaomega.server.text.Texts;
import io.alphaomega.wire.WireAnswers;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.springframework.web.servlet.support.RequestContextUtils;
import tools.jackson.databind.json.JsonMapper;

/** How the pages say things, in one language. What is the same in all of them is static. */
final class Words implements LocalizationSupport {
    /** What the page's script says comes with the page. */
    private static final List<String> SCRIPT = List.of("script.", "time.");

    private static final Map<Texts, String> SCRIPTS =
            Map.of(Texts.ENGLISH, script(Texts.ENGLISH), Texts.CHINESE, script(Texts.CHINESE));

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private static final DateTimeFormatter TIME_MILLIS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneOffset.UTC);

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration DAY = Duration.ofDays(1);

    private final Texts texts;

    Words(Texts texts) {
        this.texts = texts;
    }

    /** In the language that the page is asked for in. */
    static Words of(HttpServletRequest request) {
        return new Words(Texts.in(RequestContextUtils.getLocale(request)));
    }

    Texts texts() {
        return texts;
    }

    /** Of the page, as HTML names it. */
    String language() {
        return say("language.tag");
    }

    String say(String key, Object... arguments) {
        return texts.say(key, arguments);
    }

    /** The sentence for one, or for many. */
    String count(String key, long number, Object... more) {
        return texts.count(key, number, more);
    }

    /** For {@code localize}, whose arguments may have tags. */
    @Override
    public String lookup(String key) {
        return texts.sentence(key);
    }

    /** What the page's script says, by key, as JSON. */
    String script() {
        return requireNonNull(SCRIPTS.get(texts));
    }

    private static String script(Texts texts) {
        Map<String, String> said = new TreeMap<>(texts.sentences());
        said.keySet().removeIf(key -> SCRIPT.stream().noneMatch(key::startsWith));
        return JsonMapper.shared().writeValueAsString(said);
    }

    /** In UTC, to the second. The page's script shows it in other ways. */
    static String time(Instant time) {
        return TIME.format(time);
    }

    /** The same to the millisecond. */
    static String timeMillis(Instant time) {
        return TIME_MILLIS.format(time);
    }

    static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** With one place where there is little of it. */
    static String rate(double rate) {
        return rate < 10 ? String.format(Locale.ROOT, "%.1f", rate) : number(Math.round(rate));
    }

    String duration(Duration duration) {
        if (duration.isNegative()) return say("time.s", 0);
        if (duration.compareTo(SECOND) < 0) return say("duration.under", say("time.s", 1));
        if (duration.compareTo(DAY) < 0) return texts.duration(duration);
        String days = say("time.d", duration.toDays());
        return duration.toHoursPart() == 0 ? days : days + " " + say("time.h", duration.toHoursPart());
    }

    /** From one to the other: how long ago the first was, or how far ahead the second is. */
    String since(Instant then, Instant now) {
        return duration(Duration.between(then, now));
    }

    /** Likewise, in the largest unit only: for what is known to about a quarter of it. */
    String roughlySince(Instant then, Instant now) {
        Duration age = Duration.between(then, now);
        return duration(Stream.of(ChronoUnit.DAYS, ChronoUnit.HOURS, ChronoUnit.MINUTES)
                .map(age::truncatedTo)
                .filter(Duration::isPositive)
                .findFirst()
                .orElse(age));
    }

    /** Of work: in milliseconds as long as these tell anything. */
    String took(Duration duration) {
        return duration.toMillis() < 10_000 ? say("time.ms", Math.max(0, duration.toMillis())) : duration(duration);
    }

    /** As the API names it, for classes. */
    static String style(State state) {
        return state.name().toLowerCase(Locale.ROOT);
    }

    static String style(Stuck.Reason reason) {
        return switch (reason) {
            case SUSPENDED -> "suspended";
            case NO_PARTICIPANT -> "waiting";
            case FAILING -> "failing";
            case OVERDUE -> "overdue";
        };
    }

    String label(State state) {
        return say("state." + state.name());
    }

    String label(Stuck.Reason reason) {
        return say("stuck.reason." + reason.name());
    }

    /** What an operator should know of a group of stuck sagas. */
    String advice(StuckSagas.Kind kind) {
        String service = service(kind.service());
        return switch (kind.reason()) {
            case SUSPENDED ->
                switch (kind.detail()) {
                    case WireAnswers.JOURNAL_UNREADABLE -> say("stuck.advice.JOURNAL_UNREADABLE");
                    case Stuck.RESTORED -> say("stuck.advice.RESTORED");
                    case "BRANCH_END_UNKNOWN" -> say("stuck.advice.BRANCH_END_UNKNOWN", service);
                    default -> say("stuck.advice.SUSPENDED", service);
                };
            case NO_PARTICIPANT, FAILING, OVERDUE ->
                say("stuck.advice." + kind.reason().name(), service);
        };
    }

    /** A saga whose begin has not come yet has no service. */
    String service(String name) {
        return name.isEmpty() ? say("service.unknown") : name;
    }

    /** In an address, whatever it is. */
    static String query(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    /** Of an id, enough to tell it from others on the screen. */
    static String shortId(String id) {
        return id.length() <= 13 ? id : "…" + id.substring(id.length() - 12);
    }
}
