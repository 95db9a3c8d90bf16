/** What goes over all sagas, one of each in the cluster: wakes those that are due, deletes those that ended long ago. */
@NullMarked
package io.alphaomega.server.sweep;

import org.jspecify.annotations.NullMarked;
