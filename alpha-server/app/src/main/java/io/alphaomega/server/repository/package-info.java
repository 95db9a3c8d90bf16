/** How the server uses its repository: which plugin is wired, how appends are gathered, what is measured. */
@NullMarked
package io.alphaomega.server.repository;

import org.jspecify.annotations.NullMarked;
