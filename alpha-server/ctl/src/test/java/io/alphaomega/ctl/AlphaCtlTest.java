package io.alphaomega.ctl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.repository.servers.AlphaCommand;
import io.alphaomega.repository.servers.Command;
import io.alphaomega.repository.servers.ServerProcess;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** The commands against a real alpha. */
class AlphaCtlTest {
    private static final Path ALPHA = Path.of("../app/target/alpha-server.jar").toAbsolutePath();

    private static final int HTTP = ServerProcess.freePort();
    private static final int GRPC = ServerProcess.freePort();
    private static final Path DIRECTORY = ServerProcess.newDirectory("alphactl");

    private static final ServerProcess alpha = new ServerProcess(
            DIRECTORY,
            Command.of(AlphaCommand.of(ALPHA).toArray())
                    .with(
                            "--alpha.repository.embedded.directory=" + DIRECTORY.resolve("data"),
                            "--server.port=" + HTTP,
                            "--alpha.grpc.port=" + GRPC,
                            "--alpha.cluster.port=0",
                            "--spring.profiles.active=staging",
                            "--alpha.rehearsal.share=1"),
            () -> run("check").code() == 0);

    @BeforeAll
    static void start() {
        alpha.start();
    }

    @AfterAll
    static void stop() {
        alpha.close();
    }

    /** What a command has said, and its exit code. */
    private record Said(int code, String out, String err) {}

    private static Said run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        String[] all = Stream.concat(Arrays.stream(arguments), Stream.of("--server", "http://127.0.0.1:" + HTTP))
                .toArray(String[]::new);
        int code = AlphaCtl.commands()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(all);
        return new Said(code, out.toString(), err.toString());
    }

    @Test
    void at_three_in_the_morning_three_commands_lead_from_the_alert_to_the_end_of_the_saga() throws Exception {
        try (Hotel hotel = new Hotel(GRPC)) {
            hotel.aborted("trip-1");
            await().until(() -> run("stuck").out().contains("trip-1"));

            Said stuck = run("stuck", "--for", "SUSPENDED");
            assertThat(stuck.out()).contains("SUSPENDED  UNDECODABLE  hotel  Trips.book  trip 17");
            Said show = run("sagas", "show", "trip-1");
            assertThat(show.out())
                    .contains("the people of hotel must act", "/docs/operating/runbook#undecodable")
                    .as("its one build, then whether there is another")
                    .contains("trip-1-hotel  hotel    Rooms.reserve  ENDED    GAVE_UP   2")
                    .as("what a service says moves no cursor")
                    .doesNotContain("\u001b", "\u202e");
            Said whatIf = run("what-if", "trip-1", "skip");
            assertThat(whatIf.out())
                    .contains("ACCEPTED Accepted.", "The saga would be COMPENSATED.", "taken as done by hand");
            hotel.mend();
            Said retry = run("retry", "trip-1", "--reason", "the new version reads it", "--operator", "ann");
            assertThat(retry.code()).isZero();
            assertThat(retry.out()).startsWith("Ordered: retry of saga trip-1, as of event ");

            assertThat(run("orders", "--since", "1h", "--who", "ann").out())
                    .containsPattern("RETRY +ann +the new version reads it +trip-1 +Trips.book +trip 17 +");
            assertThat(run("orders", "--who", "nobody").out().lines()).hasSize(1);
            assertThat(run("orders", "--since", "yesterday").err()).contains("The parameter 'since' must be");

            Said watch = run("sagas", "watch", "trip-1");
            assertThat(watch.out()).contains("Retried by ann: the new version reads it", "Ended COMPENSATED.");
            assertThat(run("sagas", "list", "--text", "trip-1").out()).contains("COMPENSATED");
            assertThat(run("sagas", "list", "--id", "trip-1", "--younger-than", "1h", "--longer-than", "0s")
                            .out())
                    .contains("COMPENSATED");
            assertThat(run("sagas", "list", "--id", "trip-1", "--older-than", "1h")
                            .out())
                    .doesNotContain("COMPENSATED");
            assertThat(run("sagas", "list", "--operation", "nobody's", "--business-key", "a b")
                            .out())
                    .doesNotContain("COMPENSATED");
            assertThat(run("sagas", "list", "--attribute", "tenant=nobody").out())
                    .doesNotContain("COMPENSATED");
            assertThat(run("sagas", "list", "--attribute", "tenant").err()).contains("must be one name=value");
            assertThat(run("sagas", "list", "--changed-since", "yesterday").err())
                    .contains("The parameter 'changedSince' must be an instant");
        }
    }

    /** As cron calls it, without the script that sees to another locale. */
    @Test
    void what_an_ASCII_locale_makes_of_an_argument_is_refused() throws Exception {
        ProcessBuilder cron = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        AlphaCtl.class.getName(),
                        "retry",
                        "trip-1",
                        "--reason",
                        "für Müller")
                .redirectErrorStream(true);
        cron.environment().put("LC_ALL", "C");
        Process process = cron.start();

        assertThat(new String(process.getInputStream().readAllBytes(), UTF_8))
                .contains(
                        "is not what was said: Java decodes it by the locale, which has ANSI_X3.4-1968 and not UTF-8.")
                .hasLineCount(1);
        assertThat(process.waitFor()).isEqualTo(AlphaCtl.USAGE);
    }

    @Test
    void a_host_that_no_certificate_can_be_for_is_refused() {
        StringWriter err = new StringWriter();

        int code = AlphaCtl.commands()
                .setErr(new PrintWriter(err))
                .execute("stuck", "--server", "https://stack_alpha:8090");

        assertThat(code).isEqualTo(AlphaCtl.UNREACHABLE);
        assertThat(err.toString())
                .startsWith("--server has the host 'stack_alpha', which Java compares with no certificate");
    }

    @Test
    void a_rehearsed_saga_is_undone_although_it_would_have_been_committed_and_coverage_counts_its_compensation()
            throws Exception {
        try (Hotel hotel = new Hotel(GRPC)) {
            hotel.mend();
            hotel.committed("rehearsed");

            await().untilAsserted(
                            () -> assertThat(run("sagas", "watch", "rehearsed").out())
                                    .contains("a rehearsal: it would have been committed", "Ended COMPENSATED."));
            await().untilAsserted(() ->
                    assertThat(run("coverage").out()).containsPattern("hotel +Rooms.cancel +yes +\\d+ +20"));
        }
    }

    @Test
    @SuppressWarnings("try") // An instance does nothing but be connected.
    void many_are_dealt_with_by_one_order() throws Exception {
        try (Hotel hotel = new Hotel(GRPC)) {
            for (int i = 0; i < 5; i++) hotel.aborted("bulk-" + i);
            await().until(() -> run("bulk", "retry", "--for", "SUSPENDED", "--reason", "x", "--dry-run")
                    .out()
                    .startsWith("5 sagas are meant"));
            hotel.mend();

            Said retry = run("bulk", "retry", "--for", "SUSPENDED", "--service", "hotel", "--reason", "deployed");
            assertThat(retry.out()).startsWith("Ordered: bulk RETRY ");
            await().untilAsserted(() -> assertThat(run("bulk", "list").out()).containsPattern("RETRY +DONE +5 +0 +0"));
            String[] abort = {
                "bulk", "abort", "--operation", "Trips.book", "--older-than", "10m", "--reason", "x", "--dry-run"
            };
            String dry = run(abort).out();
            Matcher added = Pattern.compile(
                            "^0 sagas are meant; to order it for no others: --expect (0) --before (20\\S+)\\. ")
                    .matcher(dry);
            assertThat(added.find()).as(dry).isTrue();
            String[] ordered = Stream.concat(
                            Arrays.stream(abort).filter(option -> !option.equals("--dry-run")),
                            Stream.of("--expect", added.group(1), "--before", added.group(2)))
                    .toArray(String[]::new);
            assertThat(run(ordered).out()).startsWith("Ordered: bulk ABORT ");
            assertThat(run("services").out()).contains("hotel    yes        1          1.0-aaaa");
            try (Hotel next = new Hotel(GRPC, "hotel-2", "1.1-bbbb")) {
                await().untilAsserted(() -> assertThat(run("services").out())
                        .contains("hotel    yes        2          1.0-aaaa (1), 1.1-bbbb (1)"));
                assertThat(run("services", "-o", "jsonl").out())
                        .contains("\"builds\":{\"1.0-aaaa\":1,\"1.1-bbbb\":1}", "\"build\":\"1.1-bbbb\"");
            }
        }
    }

    @Test
    void a_saga_is_shown_with_those_that_are_nested_in_it_and_each_of_them_with_its_own() throws Exception {
        try (Hotel hotel = new Hotel(GRPC)) {
            hotel.mend();
            hotel.nested("tour-1", "ride-1");
            await().until(() -> run("sagas", "show", "ride-1").out().contains("part of tour-1"));

            assertThat(run("sagas", "show", "tour-1").out()).contains("branch ride is saga ride-1  ACTIVE");
            assertThat(run("abort", "tour-1", "--reason", "too dear").code()).isZero();
            await().until(() ->
                    run("sagas", "show", "tour-1").out().contains("branch ride is saga ride-1  COMPENSATED"));
            await().until(() -> run("sagas", "show", "tour-1").out().contains("tour-1  COMPENSATED"));
        }
    }

    @Test
    void a_retry_says_beforehand_that_no_instance_is_connected() throws Exception {
        try (Hotel hotel = new Hotel(GRPC)) {
            hotel.aborted("away-1");
            await().until(() -> run("stuck").out().contains("away-1"));
        }
        await().until(() -> run("services").out().contains("hotel    no "));

        Said retry = run("retry", "away-1", "--reason", "x");
        assertThat(retry.err()).isEqualTo("No instance of hotel is connected: the saga waits until one is.\n");
        assertThat(retry.code()).isZero();

        try (Hotel hotel = new Hotel(GRPC)) {
            hotel.mend();
            await().until(() -> run("sagas", "show", "away-1").out().contains("away-1  COMPENSATED"));
        }
    }

    @Test
    void what_alpha_refuses_is_said_in_a_sentence_and_ends_with_2() {
        assertThat(run("sagas", "show", "nobody")).isEqualTo(new Said(2, "", "There is no saga 'nobody'.\n"));
        assertThat(run("retry", "nobody", "--reason", "x").code()).isEqualTo(AlphaCtl.REFUSED);
        assertThat(run("bulk", "retry", "--for", "BORED", "--reason", "x").err())
                .contains("The field 'stuck' must be");
        assertThat(run("bulk", "skip", "--detail", "UNDECODABLE", "--reason", "x")
                        .err())
                .contains("The field 'expect' must be there");
        assertThat(run(
                                "bulk",
                                "resolve",
                                "--detail",
                                "UNDECODABLE",
                                "--outcome",
                                "LOST",
                                "--reason",
                                "x",
                                "--older-than",
                                "1h")
                        .err())
                .contains("The field 'outcome' must be");
        assertThat(run("what-if", "nobody", "retry").code()).isEqualTo(AlphaCtl.REFUSED);
        assertThat(run("stuck", "--limit", "1000").err()).contains("must be 0 to 100");
    }

    @Test
    void wrong_options_end_with_1_and_an_alpha_that_is_not_there_with_3() {
        assertThat(run("retry", "trip-1").code()).isEqualTo(AlphaCtl.USAGE);
        assertThat(run("retry", "trip-1").err()).contains("--reason");
        assertThat(run("stuck", "-o", "xml").err()).contains("must be table, json or jsonl");
        StringWriter err = new StringWriter();
        int code = AlphaCtl.commands()
                .setErr(new PrintWriter(err))
                .execute("stuck", "--server", "127.0.0.1:" + ServerProcess.freePort());
        assertThat(code).isEqualTo(AlphaCtl.UNREACHABLE);
        assertThat(err.toString()).contains("No alpha answers at http://127.0.0.1:", "ALPHACTL_SERVER");
    }

    @Test
    void check_says_of_each_thing_whether_it_is_as_it_should_be() {
        Said check = run("check");

        assertThat(check.code()).as(check.out()).isZero();
        assertThat(check.out())
                .containsPattern("PASS  readiness +UP")
                .containsPattern("PASS  store +what it acknowledged survives POWER_LOSS")
                .containsPattern("PASS  node 127.0.0.1:\\d+ +up, its clock is -?\\d+ ms ahead");
    }

    @Test
    void programs_read_JSON() {
        assertThat(JsonMapper.shared()
                        .readTree(run("nodes", "-o", "json").out())
                        .at("/nodes/0/self")
                        .asBoolean())
                .isTrue();
        assertThat(run("nodes", "-o", "jsonl").out().lines())
                .singleElement()
                .asString()
                .startsWith("{\"address\"");
        assertThat(run("sagas", "list", "-o", "json", "--text", "nothing").out())
                .contains("\"sagas\"");
    }
}
