/**
 * What alpha says to people, by language. The sentences are in {@code text/messages.properties} (English, which is what the
 * API and everything else speaks) and {@code text/messages_zh.properties} (Chinese, for the console).
 */
@NullMarked
package io.alphaomega.server.text;

import org.jspecify.annotations.NullMarked;
