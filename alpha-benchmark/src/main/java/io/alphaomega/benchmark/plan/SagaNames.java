package io.alphaomega.benchmark.plan;

import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * The ids of one run's sagas and branches, and back from the id to how manieth the saga is, so that nobody need remember
 * a million ids. A saga's is a UUIDv7 whose time is the run's begin and whose random bits are the saga's number and the
 * run's; ids of later sagas are greater, as an omega's are.
 */
public final class SagaNames {
    /** What 32 bits of the id can hold. */
    static final long ORDINALS = 1L << 32;

    /** As long as omega's, which are the beginning of a SHA-256 in hex. */
    private static final int BRANCH_CHARS = 32;

    /** 500 branches in hex. */
    private static final int BRANCH_NUMBER_CHARS = 3;

    private static final int UUID_CHARS = 36;
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.ISO_8859_1);
    private static final long RUN_BITS = (1L << 40) - 1;

    private final byte[] template = "00000000-0000-7000-8000-000000000000".getBytes(StandardCharsets.ISO_8859_1);
    private final String time;
    private final String run;
    private final long number;

    /** @param number of the run: random, of which 40 bits count */
    public SagaNames(Instant begun, long number) {
        this.number = number & RUN_BITS;
        write(template, 0, 8, begun.toEpochMilli() >>> 16);
        write(template, 9, 4, begun.toEpochMilli());
        write(template, 26, 10, this.number);
        String text = new String(template, StandardCharsets.ISO_8859_1);
        this.time = text.substring(0, 15);
        this.run = text.substring(26);
    }

    public String saga(long ordinal) {
        byte[] text = template.clone();
        write(text, 15, 3, ordinal >>> 20);
        write(text, 20, 3, ordinal >>> 8);
        write(text, 24, 2, ordinal);
        return new String(text, StandardCharsets.ISO_8859_1);
    }

    /** How manieth the saga of that id is; -1 if it is none of this run's. */
    public long ordinal(String saga) {
        if (saga.length() != UUID_CHARS || !saga.startsWith(time) || !saga.endsWith(run)) return -1;
        try {
            return Long.parseLong(saga, 15, 18, 16) << 20
                    | Long.parseLong(saga, 20, 23, 16) << 8
                    | Long.parseLong(saga, 24, 26, 16);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    public String branch(long ordinal, int branch) {
        byte[] text = new byte[BRANCH_CHARS];
        long bits = SagaChoices.mix(ordinal ^ number << 24);
        write(text, 0, 16, bits);
        write(text, 16, BRANCH_CHARS - BRANCH_NUMBER_CHARS - 16, SagaChoices.mix(bits));
        write(text, BRANCH_CHARS - BRANCH_NUMBER_CHARS, BRANCH_NUMBER_CHARS, branch);
        return new String(text, StandardCharsets.ISO_8859_1);
    }

    /** How manieth branch has that id; -1 if it is none of this saga's. */
    public int branch(long ordinal, String id) {
        if (id.length() != BRANCH_CHARS) return -1;
        try {
            int branch = Integer.parseInt(id, BRANCH_CHARS - BRANCH_NUMBER_CHARS, BRANCH_CHARS, 16);
            return branch(ordinal, branch).equals(id) ? branch : -1;
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    private static void write(byte[] text, int from, int digits, long value) {
        long rest = value;
        for (int i = from + digits - 1; i >= from; i--) {
            text[i] = HEX[(int) (rest & 15)];
            rest >>>= 4;
        }
    }
}
