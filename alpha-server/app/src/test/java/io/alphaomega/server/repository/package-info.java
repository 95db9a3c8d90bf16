@NullMarked
package io.alphaomega.server.repository;

import org.jspecify.annotations.NullMarked;
