package io.alphaomega.samples.booking;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * A service's own database: the SQLite file {@code ${sample.data}/<service>.db}. Each commit is synced to the disk, so a
 * killed service has lost nothing that it reported as done.
 */
@Configuration(proxyBeanMethods = false)
public class Sqlite {
    /** Transactions take the write lock when they begin: SQLite cannot upgrade a read to a write while others write. */
    private static final String SETTINGS =
            "?journal_mode=WAL&synchronous=FULL&busy_timeout=10000&transaction_mode=IMMEDIATE";

    /** SQLite has one writer at a time; the others read. */
    private static final int CONNECTIONS = 4;

    @Bean
    HikariDataSource dataSource(
            @Value("${sample.data}") Path directory, @Value("${spring.application.name}") String service)
            throws IOException {
        Files.createDirectories(directory);
        HikariDataSource database = new HikariDataSource();
        database.setJdbcUrl("jdbc:sqlite:" + directory.resolve(service + ".db") + SETTINGS);
        database.setMaximumPoolSize(CONNECTIONS);
        return database;
    }
}
