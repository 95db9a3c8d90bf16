package io.alphaomega.omega.fence;

import static org.assertj.core.api.Assertions.assertThat;

import io.r2dbc.spi.ConnectionFactory;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import javax.sql.DataSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/** Through a database, of whose statements it makes steps. */
final class StatementsTeller {
    private final List<String> steps = new ArrayList<>();
    private final SortedSet<String> statements = new TreeSet<>();

    /** Each story happens as written, by these statements. */
    void assertEach(Participant participant, FenceTranscripts.Kind kind, String database) throws Exception {
        for (Path file : FenceTranscripts.files()) {
            String retold = FenceTranscripts.retold(file, of(participant), FenceTranscripts.ofDatabase(kind));
            assertThat(retold).as(FenceTranscripts.name(file)).isEqualTo(Files.readString(file));
        }
        FenceTranscripts.assertStatements(database, statements);
    }

    /** A story of a branch of its own. */
    private FenceTranscripts.Teller of(Participant participant) {
        FenceStory story = new FenceStory(participant::open, UUID.randomUUID().toString());
        return new FenceTranscripts.Teller() {
            @Override
            public List<String> tell(String line) throws Exception {
                steps.clear();
                List<String> verdicts = story.tell(line);
                List<String> told = new ArrayList<>(steps);
                told.addAll(verdicts);
                return told;
            }

            @Override
            public List<String> left() throws Exception {
                return story.left();
            }
        };
    }

    DataSource through(DataSource dataSource) {
        return watched(DataSource.class, dataSource);
    }

    ConnectionFactory through(ConnectionFactory connections) {
        return watched(ConnectionFactory.class, connections);
    }

    private <T> T watched(Class<T> type, T target) {
        return proxy(type, target, (method, arguments, call) -> {
            Object result = call.made();
            return switch (method.getName()) {
                case "getConnection" -> watched(java.sql.Connection.class, (java.sql.Connection) result);
                case "create" ->
                    Mono.from((Publisher<?>) result)
                            .map(made -> watched(io.r2dbc.spi.Connection.class, (io.r2dbc.spi.Connection) made));
                case "prepareStatement" -> noted(PreparedStatement.class, result, (String) arguments[0], 1);
                case "createStatement" ->
                    arguments == null ? result : noted(io.r2dbc.spi.Statement.class, result, (String) arguments[0], 0);
                default -> result;
            };
        });
    }

    private <T> T noted(Class<T> type, Object target, String sql, int first) {
        Map<Integer, Object> bound = new TreeMap<>();
        Object[] self = new Object[1];
        T noted = proxy(type, type.cast(target), (method, arguments, call) -> {
            if (method.getName().startsWith("execute")) note(sql, bound);
            boolean binds = arguments != null && arguments.length == 2;
            if (binds) bound.put((Integer) arguments[0] - first, arguments[1]);
            Object result = call.made();
            return method.getReturnType() == type ? self[0] : result;
        });
        self[0] = noted;
        return noted;
    }

    private void note(String sql, Map<Integer, Object> bound) {
        if (!sql.contains("op = ") && !sql.contains("INTO omega_fence")) return; // Neither of one row nor the fence's.
        if (sql.startsWith("SELECT COUNT")) return;
        statements.add(sql);
        String op = String.valueOf(bound.get(2));
        steps.add("  "
                + switch (sql.substring(0, 6)) {
                    case "INSERT" -> "insert " + FenceStory.row(op, String.valueOf(bound.get(3)));
                    case "UPDATE" -> "store " + bound.get(3);
                    case "DELETE" -> "delete " + op;
                    default -> (sql.startsWith("SELECT reason") ? "find " : "read ") + op;
                });
    }

    private interface Call {
        Object made() throws Throwable;
    }

    private interface Around {
        Object called(Method method, Object[] arguments, Call call) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, T target, Around around) {
        InvocationHandler handler = (proxy, method, arguments) -> around.called(method, arguments, () -> {
            try {
                return method.invoke(target, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
        return type.cast(
                Proxy.newProxyInstance(StatementsTeller.class.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
