package kotlin.coroutines;

import org.jspecify.annotations.NullMarked;

/** Kotlin's, by name: omega looks at no more. */
@NullMarked
public interface Continuation<T> {}
