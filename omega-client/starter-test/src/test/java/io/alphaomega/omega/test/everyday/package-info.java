@NullMarked
package io.alphaomega.omega.test.everyday;

import org.jspecify.annotations.NullMarked;
