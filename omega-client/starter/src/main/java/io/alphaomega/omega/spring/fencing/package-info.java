/** The local transaction of a branch, and the fence in it: by JDBC, R2DBC or Redis. */
@NullMarked
package io.alphaomega.omega.spring.fencing;

import org.jspecify.annotations.NullMarked;
