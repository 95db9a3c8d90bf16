package io.alphaomega.benchmark.figures;

import io.alphaomega.repository.servers.DatabaseServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a store does by itself, without alpha: the most that could be made of it, by the tool that comes with it.
 *
 * @param commands one after the other; one of them says the figure
 */
record Ceiling(String what, List<List<String>> commands) {
    /** "SET: 12345.67 requests per second, p50=…"; "transactions:   12345  (1234.56 per sec.)". */
    private static final Pattern PER_SECOND =
            Pattern.compile("(?:transactions: +\\d+ +\\(|: )([0-9.]+) (?:per sec|requests per second)");

    /** As large as an append of a small event. */
    private static final int VALUE_BYTES = 250;

    private static final int PIPELINED = 64;

    private static final int CONNECTIONS = 20;

    private static final String SECONDS = "10";

    /** Of a Redis: single commands, a script as alpha's that does one, and both with as many at once as alpha sends in a batch. */
    static List<Ceiling> ofRedis(int port) {
        String[] set = {"SET", "key:__rand_int__", "x".repeat(VALUE_BYTES)};
        String[] script = {
            "EVAL", "return redis.call('RPUSH', KEYS[1], ARGV[1])", "1", "list:__rand_int__", "x".repeat(VALUE_BYTES)
        };
        return List.of(
                redis("SET", port, "200000", 1, set),
                redis("EVAL of RPUSH", port, "200000", 1, script),
                redis("SET, %d at once".formatted(PIPELINED), port, "2000000", PIPELINED, set),
                redis("EVAL of RPUSH, %d at once".formatted(PIPELINED), port, "2000000", PIPELINED, script));
    }

    private static Ceiling redis(String what, int port, String requests, int pipelined, String... command) {
        List<String> words = new ArrayList<>(List.of("redis-benchmark", "-q", "-r", "1000000"));
        words.addAll(List.of(
                "-p",
                Integer.toString(port),
                "-n",
                requests,
                "-c",
                Integer.toString(CONNECTIONS),
                "-P",
                Integer.toString(pipelined)));
        words.addAll(List.of(command));
        return new Ceiling(what, List.of(words));
    }

    /** Of a MySQL or MariaDB: transactions that only write, as the sysbench of DTM's and MySQL's own tables has them. */
    static List<Ceiling> ofDatabase(int port) {
        List<String> server = List.of(
                "sysbench",
                "oltp_write_only",
                "--mysql-host=127.0.0.1",
                "--mysql-port=" + port,
                "--mysql-user=root", // Who has no password there, which every server's way to log in can do with.
                "--mysql-db=" + DatabaseServer.DATABASE,
                "--tables=1",
                "--table-size=100000",
                "--threads=" + CONNECTIONS);
        return List.of(new Ceiling(
                "write-only transactions",
                List.of(with(server, "prepare"), with(server, "--time=" + SECONDS, "run"), with(server, "cleanup"))));
    }

    /** The tool's own words for how many per second. */
    String figure(String said) {
        Matcher matcher = PER_SECOND.matcher(said);
        String figure = "";
        while (matcher.find()) figure = matcher.group(1);
        if (figure.isEmpty())
            throw new IllegalStateException(
                    "No figure in what " + commands.getFirst().getFirst() + " said: " + said);
        return String.format(Locale.ROOT, "%,.0f/s", Double.parseDouble(figure));
    }

    private static List<String> with(List<String> words, String... more) {
        return Stream.concat(words.stream(), Stream.of(more)).toList();
    }
}
