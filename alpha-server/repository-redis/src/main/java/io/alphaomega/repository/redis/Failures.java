package io.alphaomega.repository.redis;

import io.alphaomega.repository.RepositoryUnavailableException;
import io.lettuce.core.RedisCommandExecutionException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** What errors of Redis and of the network mean, in sentences. */
final class Failures {
    /** By the word with which the error begins, or by what an error of a script has in it. */
    private static final Map<String, String> MEANINGS = Map.ofEntries(
            Map.entry("OOM", "has used all the memory that it may and takes no more: raise maxmemory or purge earlier"),
            Map.entry("MISCONF", "cannot write to its disk and takes no more until it can"),
            Map.entry("READONLY", "is a replica and takes no appends: alpha must be given the primary"),
            Map.entry("LOADING", "is reading its data after a start and not ready yet"),
            Map.entry("MASTERDOWN", "is a replica that has lost its primary"),
            Map.entry("CLUSTERDOWN", "is a cluster that is not whole"),
            Map.entry("TRYAGAIN", "is moving a part of its keys to another server"),
            Map.entry("ASK", "is moving a part of its keys to another server"),
            // Of a key that a script came upon.
            Map.entry("non local key", "is moving a part of its keys to another server"),
            Map.entry("MOVED", "says that another server has the keys"),
            Map.entry("NOREPLICAS", "has fewer replicas than min-replicas-to-write demands"),
            Map.entry("BUSY", "is busy with a script that does not end"),
            Map.entry("NOAUTH", "demands a password"),
            Map.entry("WRONGPASS", "refuses the user or the password"),
            Map.entry("NOPERM", "does not let this user do what alpha must do"));

    /** What is so until somebody changes it. */
    private static final Set<String> REFUSALS = Set.of("NOAUTH", "WRONGPASS", "NOPERM");

    private Failures() {}

    static RepositoryUnavailableException unavailable(String name, Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof ExecutionException || cause instanceof CompletionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof RepositoryUnavailableException already) return already;
        RedisCommandExecutionException error = error(cause);
        boolean refusal = error != null && REFUSALS.contains(word(error));
        return new RepositoryUnavailableException(name + " " + sentence(cause), cause, refusal);
    }

    private static String sentence(Throwable cause) {
        if (cause instanceof TimeoutException) return "does not answer in time.";
        if (cause instanceof InterruptedException) return "was not waited for: the thread was interrupted.";
        if (cause instanceof CancellationException) return "did not answer: the connection was closed.";
        RedisCommandExecutionException error = error(cause);
        if (error != null) {
            String meaning = MEANINGS.get(word(error));
            return meaning == null ? "refuses: " + error.getMessage() : meaning + " (" + error.getMessage() + ").";
        }
        // The outermost ones only say that it did not work.
        Throwable root = cause;
        while (root.getCause() != null) root = root.getCause();
        return "does not do what it should: " + root.getMessage() + ".";
    }

    private static @Nullable RedisCommandExecutionException error(Throwable failure) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (at instanceof RedisCommandExecutionException error) return error;
        }
        return null;
    }

    /** Whether the server says that another one has the keys, so that it has done nothing. */
    static boolean isMoved(Throwable failure) {
        RedisCommandExecutionException error = error(failure);
        return error != null && String.valueOf(error.getMessage()).startsWith("MOVED ");
    }

    /** Whether the server has become a replica: its name may by now be that of another one. */
    static boolean isReplica(Throwable failure) {
        RedisCommandExecutionException error = error(failure);
        return error != null && word(error).equals("READONLY");
    }

    private static String word(RedisCommandExecutionException error) {
        String message = String.valueOf(error.getMessage());
        int end = message.indexOf(' ');
        // What a script passes on of a command that it called is wrapped: "ERR … script: …, on @user_script:5."
        for (String word : MEANINGS.keySet()) {
            if (message.startsWith("ERR ") && message.contains(word + " ")) return word;
        }
        return end < 0 ? message : message.substring(0, end);
    }
}
