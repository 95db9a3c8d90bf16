/** The console: pages for people, drawn on the server and readable without scripts. */
@NullMarked
package io.alphaomega.server.console;

import org.jspecify.annotations.NullMarked;
