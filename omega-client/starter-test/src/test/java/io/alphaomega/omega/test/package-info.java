@NullMarked
package io.alphaomega.omega.test;

import org.jspecify.annotations.NullMarked;
