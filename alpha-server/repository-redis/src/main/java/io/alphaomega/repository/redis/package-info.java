/** Sagas in Redis: {@link io.alphaomega.repository.redis.RedisSagaRepository}. */
@NullMarked
package io.alphaomega.repository.redis;

import org.jspecify.annotations.NullMarked;
