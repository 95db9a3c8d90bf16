/** How a saga or a branch runs: begun, tried again, ended, cancelled. */
@NullMarked
package io.alphaomega.omega.spring.execution;

import org.jspecify.annotations.NullMarked;
