package io.alphaomega.samples.shop.shipping;

/** What is to be packed: the articles of an order, for an address. */
public record Parcel(String order, String address) {}
