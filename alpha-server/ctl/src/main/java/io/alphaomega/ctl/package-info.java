/** The command line for operators: it says what alpha's API says, and orders through it. */
@NullMarked
package io.alphaomega.ctl;

import org.jspecify.annotations.NullMarked;
