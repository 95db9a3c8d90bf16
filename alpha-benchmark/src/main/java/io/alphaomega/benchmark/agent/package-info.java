/** Generators on many machines that make one load: the agent on each of them, and who coordinates them. */
@NullMarked
package io.alphaomega.benchmark.agent;

import org.jspecify.annotations.NullMarked;
