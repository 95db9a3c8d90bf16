/** How sagas travel with the records of Kafka. */
@NullMarked
package io.alphaomega.omega.transport.kafka;

import org.jspecify.annotations.NullMarked;
