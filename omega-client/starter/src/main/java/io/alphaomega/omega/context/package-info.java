/** The saga a thread is in, and how it travels to other threads and services. */
@NullMarked
package io.alphaomega.omega.context;

import org.jspecify.annotations.NullMarked;
