/** Alpha's rules and omega's against each other, in a world whose network and services fail. */
@NullMarked
package io.alphaomega.omega.simulation;

import org.jspecify.annotations.NullMarked;
