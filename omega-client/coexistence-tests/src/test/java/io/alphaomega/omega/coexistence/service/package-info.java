/** What runs on the class path of the service that is looked at: classes of it, and what looks. */
@NullMarked
package io.alphaomega.omega.coexistence.service;

import org.jspecify.annotations.NullMarked;
