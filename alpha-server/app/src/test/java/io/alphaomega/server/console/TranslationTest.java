package io.alphaomega.server.console;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.saga.Abort;
import io.alphaomega.saga.CallbackKind;
import io.alphaomega.saga.Stuck;
import io.alphaomega.server.bulk.BulkStatus;
import io.alphaomega.server.bulk.BulkTask;
import io.alphaomega.server.insight.Trouble;
import io.alphaomega.server.node.Nodes;
import io.alphaomega.server.queries.OrderHistory;
import io.alphaomega.server.queries.WhatIfRequest;
import io.alphaomega.server.text.Texts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the console says is said in both languages, and nowhere but in the bundles. */
class TranslationTest {
    private static final Map<String, String> ENGLISH = Texts.ENGLISH.sentences();
    private static final Map<String, String> CHINESE = Texts.CHINESE.sentences();

    /** What a Chinese sentence may have in Latin letters: names, and what is typed as it stands. */
    private static final Set<String> NAMES =
            Set.of("alpha", "omega", "ID", "UTC", "docs", "operating", "runbook", "md");

    /** The heading that one leads to, in a document that is English. */
    private static final String HEADING = "When a saga is suspended";

    /** The other language's name for itself, and what has no words. */
    private static final Set<String> WORDLESS = Set.of(
            "language.tag",
            "language.other",
            "language.other.code",
            "language.other.tag",
            "script.clock.UTC",
            "search.attribute.such",
            "history.initiator",
            "callback.attempted",
            "situation.error",
            "what-if.reply.ABORTED");

    private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\d+}");
    private static final Pattern HAN = Pattern.compile("\\p{IsHan}");
    private static final Pattern WORD = Pattern.compile("[A-Za-z]{2,}");

    /** Keys, and the beginnings of those whose end is the name of a constant. */
    private static final Pattern KEY = Pattern.compile("[\"'`]([a-z][a-z-]*\\.[\\w.-]*)");

    private static final Pattern SAID =
            Pattern.compile("\\b(?:say|count|localize|text)\\(\\s*[\"']([a-z][\\w-]*(?:\\.[\\w-]+)+)[\"']");

    /** Of a template: what is read, between tags or in an attribute. */
    private static final Pattern READ =
            Pattern.compile("(?:(?:aria-label|title|placeholder|alt|data-label)=\"|>)([^\"<>]+)");

    private static Set<String> found(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(found -> found.group(found.groupCount()))
                .collect(toCollection(TreeSet::new));
    }

    private static String sources(String... directories) {
        StringBuilder all = new StringBuilder();
        for (String directory : directories) {
            try (Stream<Path> files = Files.walk(Path.of("src", "main").resolve(directory))) {
                for (Path file : files.filter(Files::isRegularFile).toList()) all.append(Files.readString(file));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return all.toString();
    }

    private static String sources() {
        return sources("java/io/alphaomega/server", "jte", "resources/static");
    }

    @Test
    void both_languages_have_the_same_sentences_with_the_same_arguments() {
        assertThat(CHINESE.keySet()).isEqualTo(ENGLISH.keySet());
        ENGLISH.forEach((key, sentence) -> assertThat(found(PLACEHOLDER, String.valueOf(CHINESE.get(key))))
                .as(key)
                .isEqualTo(found(PLACEHOLDER, sentence)));
    }

    @Test
    void no_Chinese_sentence_is_English_still() {
        CHINESE.forEach((key, sentence) -> {
            if (WORDLESS.contains(key)) return;
            assertThat(sentence).as(key).containsPattern(HAN);
            Set<String> words = found(WORD, sentence.replace(HEADING, ""));
            words.removeAll(NAMES);
            assertThat(words).as(key + ": " + sentence).isEmpty();
        });
        assertThat(ENGLISH.keySet()).containsAll(WORDLESS);
        ENGLISH.forEach((key, sentence) -> {
            if (!key.startsWith("language.")) assertThat(sentence).as(key).doesNotContainPattern(HAN);
        });
    }

    @Test
    void no_sentence_is_more_to_a_browser_than_text() {
        Stream.of(ENGLISH, CHINESE)
                .flatMap(language -> language.values().stream())
                .forEach(sentence -> assertThat(sentence).doesNotContain("<", ">", "&", "\""));
    }

    @Test
    void every_sentence_is_said_somewhere_and_whatever_is_said_is_there() {
        Set<String> said = found(SAID, sources());
        assertThat(said).hasSizeGreaterThan(100);
        assertThat(ENGLISH.keySet()).containsAll(said);

        Set<String> keys = found(KEY, sources());
        assertThat(ENGLISH.keySet()).allSatisfy(key -> {
            String whole = key.replaceFirst("\\.(one|now)$", "");
            String beginning = whole.substring(0, whole.lastIndexOf('.') + 1);
            assertThat(keys.contains(whole) || keys.contains(beginning))
                    .as("%s is said", key)
                    .isTrue();
        });
    }

    @Test
    void what_comes_in_kinds_has_a_sentence_for_each() {
        each("state.", State.values());
        each("stuck.reason.", Stuck.Reason.values());
        each("kind.", CallbackKind.values());
        each("cause.", Abort.Cause.values());
        each("what-if.", WhatIfRequest.Kind.values());
        each("bulk.state.", BulkStatus.State.values());
        each("bulk.wants.", BulkTask.Kind.values());
        each("bulk.order.", BulkTask.Kind.values());
        each("bulk.about.", BulkTask.Kind.values());
        each("ordered.kind.", OrderHistory.Kind.values());
        each("nodes.status.", Nodes.Status.values());
        each("tab.", Frame.Tab.values());
        each("trouble.", Trouble.Kind.values());
    }

    private static void each(String beginning, Enum<?>... kinds) {
        for (Enum<?> kind : kinds) assertThat(ENGLISH).containsKey(beginning + kind.name());
    }

    @Test
    void no_template_says_a_word_by_itself() {
        String templates =
                sources("jte").replaceAll("(?m)^@(?:import|param) .*$", "").replaceAll("@template\\.layout\\(.*", "");
        for (String opening : new String[] {"$unsafe{", "${", "!{"}) templates = without(templates, opening, '{', '}');
        for (String opening : new String[] {
            "@if(", "@elseif(", "@for(", "@template.order(", "@template.bulk(", "@template.fall(", "@template.banner("
        }) templates = without(templates, opening, '(', ')');
        templates = templates.replaceAll("@(?:else|endif|endfor)", "");
        Set<String> words = new TreeSet<>();
        found(READ, templates).forEach(text -> words.addAll(found(WORD, text)));

        assertThat(words).contains("alpha").isSubsetOf("alpha", "omega", "API", "JSON", "UTC");
    }

    /** The text without what begins so and goes to the end of its brackets. */
    private static String without(String text, String opening, char open, char close) {
        StringBuilder rest = new StringBuilder();
        int at = 0;
        for (int begin = text.indexOf(opening); begin >= 0; begin = text.indexOf(opening, at)) {
            rest.append(text, at, begin);
            int depth = 1;
            for (at = begin + opening.length(); depth > 0; at++) {
                if (text.charAt(at) == open) depth++;
                else if (text.charAt(at) == close) depth--;
            }
        }
        return rest.append(text, at, text.length()).toString();
    }
}
