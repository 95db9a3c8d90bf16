/** In the place of a library. */
@NullMarked
package org.hibernate.validator.constraints;

import org.jspecify.annotations.NullMarked;
