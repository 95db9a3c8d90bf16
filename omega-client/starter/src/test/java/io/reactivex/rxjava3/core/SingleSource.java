package io.reactivex.rxjava3.core;

import org.jspecify.annotations.NullMarked;

/** RxJava's, by name: omega looks at no more. */
@NullMarked
public interface SingleSource<T> {}
