package io.alphaomega.repository.jdbc.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.Version;
import io.alphaomega.repository.campaign.Ledger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A driver that is on the class path costs an alpha nothing that does not use it. */
final class LoadedDriversTest {
    @TempDir
    Path directory;

    @Test
    void the_embedded_store_loads_no_other_driver_and_no_migrations() throws Exception {
        Path loaded = directory.resolve("loaded");
        Process process = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-Xlog:class+load:file=" + loaded,
                        "-cp",
                        System.getProperty("java.class.path"),
                        LoadedDriversTest.class.getName(),
                        directory.resolve("store").toString())
                .inheritIO()
                .start();

        assertThat(process.waitFor()).isZero();
        assertThat(Files.readString(loaded))
                .contains("org.sqlite.")
                .doesNotContain("org.mariadb.")
                .doesNotContain("org.postgresql.")
                .doesNotContain("org.flywaydb.");
    }

    /** Argument: the directory. */
    public static void main(String[] arguments) {
        try (SagaRepository repository = EmbeddedRepository.in(Path.of(arguments[0]))) {
            repository.append(List.of(Ledger.item("a", Version.NONE, 1)));
        }
    }
}
