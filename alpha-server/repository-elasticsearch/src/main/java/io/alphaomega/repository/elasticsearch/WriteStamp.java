package io.alphaomega.repository.elasticsearch;

import io.alphaomega.repository.Version;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * Which write of a document: Elasticsearch's own numbers, by which a later write says what it builds on.
 *
 * @see <a href="https://www.elastic.co/guide/en/elasticsearch/reference/8.19/optimistic-concurrency-control.html">Optimistic
 *     concurrency control</a>
 */
record WriteStamp(long seqNo, long primaryTerm) {
    private static final Pattern TOKEN = Pattern.compile("([0-9]{1,18})\\.([0-9]{1,18})\\.([0-9]{1,18})");

    /** Nothing can be appended to a version whose token begins so. */
    private static final String OF_A_TOMBSTONE = "tombstone.";

    /** Of an answer to a get, a bulk item or a search. */
    static WriteStamp of(JsonNode answered) {
        return new WriteStamp(
                answered.path("_seq_no").asLong(),
                answered.path("_primary_term").asLong());
    }

    /** The sequence is part of the token, so that neither matches with another's. */
    Version version(long sequence) {
        return new Version(sequence, token(sequence));
    }

    Version tombstone(long sequence) {
        return new Version(sequence, OF_A_TOMBSTONE + token(sequence));
    }

    private String token(long sequence) {
        return seqNo + "." + primaryTerm + "." + sequence;
    }

    /** The write that made this version; empty if no append did. */
    static Optional<WriteStamp> of(Version version) {
        Matcher token = TOKEN.matcher(version.token());
        if (!token.matches() || Long.parseLong(token.group(3)) != version.sequence()) return Optional.empty();
        return Optional.of(new WriteStamp(Long.parseLong(token.group(1)), Long.parseLong(token.group(2))));
    }
}
