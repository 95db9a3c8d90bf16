/**
 * The console: pages for people, drawn on the server and readable without scripts, in English or Chinese. Their sentences are
 * in {@code text/messages*.properties}, by key.
 */
@NullMarked
package io.alphaomega.server.console;

import org.jspecify.annotations.NullMarked;
