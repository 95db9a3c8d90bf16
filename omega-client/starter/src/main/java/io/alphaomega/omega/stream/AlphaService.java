package io.alphaomega.omega.stream;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Supplier;

/**
 * Alpha as a service in a registry.
 *
 * @param id its name there
 * @param instances the host, unresolved, and the gRPC port of each instance that the registry knows now. Asked on a
 *     thread of its own, so that it may block; throws if the registry cannot be asked.
 */
public record AlphaService(String id, Supplier<List<InetSocketAddress>> instances) {}
