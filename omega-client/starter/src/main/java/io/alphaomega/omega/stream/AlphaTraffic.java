package io.alphaomega.omega.stream;

/**
 * What is under way between this instance and one alpha.
 *
 * @param status how the connection stands
 * @param version of alpha, in its own words; empty unless connected
 * @param unanswered inputs given to its streams that alpha has not answered
 * @param callbacks that alpha has asked for over them and that are not answered, whether they run or wait for a thread
 */
public record AlphaTraffic(AlphaStatus status, String version, int unanswered, int callbacks) {}
