package io.alphaomega.benchmark.preset;

import java.nio.charset.StandardCharsets;

/**
 * What a branch is asked to do: move an amount into, or out of, some accounts that follow one another. One account takes
 * two statements of SQL.
 *
 * @param accounts none for an empty business
 */
record TransferPayload(int firstAccount, int accounts, int amount, boolean fenced) {
    private static final int FIELDS = 4;

    /** What takes it back. */
    TransferPayload reversed() {
        return new TransferPayload(firstAccount, accounts, -amount, fenced);
    }

    byte[] encoded() {
        return (firstAccount + "," + accounts + "," + amount + "," + (fenced ? 1 : 0))
                .getBytes(StandardCharsets.US_ASCII);
    }

    /** @throws IllegalArgumentException if it is none */
    static TransferPayload decoded(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.US_ASCII);
        String[] fields = text.split(",", -1);
        if (fields.length != FIELDS) {
            throw new IllegalArgumentException(
                    "a transfer has %d fields, this one %d".formatted(FIELDS, fields.length));
        }
        return new TransferPayload(
                Integer.parseInt(fields[0]),
                Integer.parseInt(fields[1]),
                Integer.parseInt(fields[2]),
                fields[3].equals("1"));
    }
}
