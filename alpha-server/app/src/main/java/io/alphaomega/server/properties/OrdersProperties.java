package io.alphaomega.server.properties;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What alpha asks of operators' orders.
 *
 * @param requireSequence whether an order without the sequence that its operator saw is refused; if not, it is carried out
 *     on the saga as it is by then
 */
public record OrdersProperties(@DefaultValue("false") boolean requireSequence) {}
