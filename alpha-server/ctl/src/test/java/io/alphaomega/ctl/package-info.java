@NullMarked
package io.alphaomega.ctl;

import org.jspecify.annotations.NullMarked;
