package io.alphaomega.server.problem;

import org.springframework.http.HttpStatus;

/** Why a request was not answered as it was meant, for programs. What the rules refuse has the reasons of {@code Refusal}. */
public enum ProblemReason {
    /** A parameter of the query, or a header, is not what it must be, or there is none of that name. */
    BAD_PARAMETER(HttpStatus.BAD_REQUEST),
    /** A field of the body is not what it must be. */
    BAD_FIELD(HttpStatus.BAD_REQUEST),
    /** The body is no JSON, has a field that nobody knows, or is too large. */
    BAD_BODY(HttpStatus.BAD_REQUEST),
    /** Tomcat could not read the request. */
    BAD_REQUEST(HttpStatus.BAD_REQUEST),
    /** The path is there, but not for this method. */
    METHOD_NOT_ALLOWED(HttpStatus.METHOD_NOT_ALLOWED),
    /** Nothing that the header {@code Accept} allows can be answered. */
    NOT_ACCEPTABLE(HttpStatus.NOT_ACCEPTABLE),
    /** The body is not JSON, or does not say so. */
    UNSUPPORTED_MEDIA_TYPE(HttpStatus.UNSUPPORTED_MEDIA_TYPE),
    /** There is no such path. */
    NOTHING_HERE(HttpStatus.NOT_FOUND),
    /** No saga has this id, or it is so old that it was forgotten. */
    UNKNOWN_SAGA(HttpStatus.NOT_FOUND),
    /** No node knows a bulk order of this id. */
    UNKNOWN_BULK_ORDER(HttpStatus.NOT_FOUND),
    /** A bulk order would be for more sagas than was expected. */
    MORE_MEANT(HttpStatus.CONFLICT),
    /** Some node is older than this one, and does not know such a bulk order. */
    OLDER_NODES(HttpStatus.CONFLICT),
    /** Alpha has no search index. */
    NO_INDEX(HttpStatus.CONFLICT),
    /** The saga has events that this node cannot read, so it is left alone. */
    JOURNAL_UNREADABLE(HttpStatus.CONFLICT),
    /** The saga ended so long ago that its history is no longer stored. */
    SAGA_PURGED(HttpStatus.GONE),
    /** An order must say which {@code sequence} its operator saw. */
    SEQUENCE_REQUIRED(HttpStatus.PRECONDITION_REQUIRED),
    /** Alpha failed; its log says why. */
    BUG(HttpStatus.INTERNAL_SERVER_ERROR),
    /** The node is starting or stopping, or the store is slow or away. */
    UNAVAILABLE(HttpStatus.SERVICE_UNAVAILABLE),
    /** As many watch as this node allows. */
    TOO_MANY_WATCHERS(HttpStatus.SERVICE_UNAVAILABLE);

    private final HttpStatus status;

    ProblemReason(HttpStatus status) {
        this.status = status;
    }

    public HttpStatus status() {
        return status;
    }
}
