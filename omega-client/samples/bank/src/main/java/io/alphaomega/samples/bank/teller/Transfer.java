package io.alphaomega.samples.bank.teller;

/** A transfer in the teller's book and the saga that makes it; {@code state} is BOOKED or CALLED_OFF. */
record Transfer(String id, String saga, String fromAccount, String toAccount, long amount, String state) {}
