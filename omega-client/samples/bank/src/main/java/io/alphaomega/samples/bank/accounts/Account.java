package io.alphaomega.samples.bank.accounts;

/** An account as customers see it. */
record Account(String id, long balance, boolean closed) {}
