package io.alphaomega.ctl;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** What every command takes, and how it prints. */
final class Options {
    /** How an answer is printed. */
    enum Output {
        TABLE,
        JSON,
        JSONL
    }

    @Option(
            names = {"-s", "--server"},
            paramLabel = "URL",
            defaultValue = "${env:ALPHACTL_SERVER:-http://localhost:8090}",
            description = "The HTTP address of any alpha; ALPHACTL_SERVER, or http://localhost:8090.")
    private String server = "";

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "table",
            converter = OutputConverter.class,
            description = "table, json, or jsonl: an object for each line.")
    private Output output = Output.TABLE;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    /** Takes them in small letters. */
    static final class OutputConverter implements picocli.CommandLine.ITypeConverter<Output> {
        @Override
        public Output convert(String value) {
            for (Output output : Output.values()) {
                if (output.name().equalsIgnoreCase(value)) return output;
            }
            throw new picocli.CommandLine.TypeConversionException(
                    "must be table, json or jsonl but was '" + value + "'");
        }
    }

    /** A column of a table. */
    record Column(String head, Function<JsonNode, String> text) {
        static Column of(String head, String field) {
            return new Column(head, row -> Options.text(row.path(field)));
        }
    }

    /** Says first what keeps alpha from working or from seeing all there is: it may explain what the answer lacks. */
    Api api() {
        Api api = new Api(server);
        Troubles.of(api).forEach(trouble -> err().println("! " + text(trouble.path("text"))));
        err().flush();
        return api;
    }

    /** For a command that says so itself. */
    Api plainApi() {
        return new Api(server);
    }

    boolean isTable() {
        return output == Output.TABLE;
    }

    PrintWriter err() {
        return spec.commandLine().getErr();
    }

    PrintWriter out() {
        return spec.commandLine().getOut();
    }

    /** The whole answer as JSON, its rows as lines of JSON, or a table of them. */
    void print(JsonNode answer, JsonNode rows, List<Column> columns) {
        switch (output) {
            case JSON -> out().println(answer.toPrettyString());
            case JSONL -> rows.values().forEach(row -> out().println(row));
            case TABLE -> table(rows, columns);
        }
        out().flush();
    }

    /** One object. */
    void print(JsonNode answer, String sentence) {
        switch (output) {
            case JSON -> out().println(answer.toPrettyString());
            case JSONL -> out().println(answer);
            case TABLE -> out().println(sentence);
        }
        out().flush();
    }

    private void table(JsonNode rows, List<Column> columns) {
        List<List<String>> lines = new ArrayList<>();
        lines.add(columns.stream().map(Column::head).toList());
        for (JsonNode row : rows.values()) {
            lines.add(columns.stream().map(column -> column.text().apply(row)).toList());
        }
        int[] widths = new int[columns.size()];
        for (List<String> line : lines) {
            for (int i = 0; i < widths.length; i++)
                widths[i] = Math.max(widths[i], line.get(i).length());
        }
        for (List<String> line : lines) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                text.append(line.get(i))
                        .append(" ".repeat(widths[i] - line.get(i).length() + 2));
            }
            out().println(text.toString().stripTrailing());
        }
    }

    /** Marks that turn the direction of what follows, so that a name looks like another. */
    private static final String TURNING = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069";

    static String text(JsonNode value) {
        if (value.isMissingNode() || value.isNull()) return "";
        if (value.isArray()) {
            return String.join(", ", value.values().stream().map(Options::text).toList());
        }
        return harmless(value.asString(""));
    }

    /** Of what comes from outside, so that it can neither begin a line, nor move the cursor, nor turn what is beside it. */
    static String harmless(String text) {
        return text.codePoints()
                .map(letter -> Character.isISOControl(letter) || TURNING.indexOf(letter) >= 0 ? ' ' : letter)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
