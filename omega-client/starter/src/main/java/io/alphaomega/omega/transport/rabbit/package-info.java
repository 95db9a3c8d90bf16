/** How sagas travel with the messages of RabbitMQ. */
@NullMarked
package io.alphaomega.omega.transport.rabbit;

import org.jspecify.annotations.NullMarked;
