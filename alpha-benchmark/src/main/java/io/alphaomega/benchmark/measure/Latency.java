package io.alphaomega.benchmark.measure;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import org.HdrHistogram.Histogram;

/** A distribution of durations, in microseconds: an HDR histogram, kept compressed. In JSON it is its usual base64. */
public final class Latency {
    /** Percentiles are exact to a thousandth of themselves. */
    public static final int DIGITS = 3;

    public static final Latency NONE = of(new Histogram(DIGITS));

    private static final double MICROS_PER_MILLI = 1_000;

    private final byte[] compressed;

    private Latency(byte[] compressed) {
        this.compressed = compressed;
    }

    public static Latency of(Histogram micros) {
        ByteBuffer buffer = ByteBuffer.allocate(micros.getNeededByteBufferCapacity());
        byte[] bytes = new byte[micros.encodeIntoCompressedByteBuffer(buffer, Deflater.BEST_SPEED)];
        buffer.flip().get(bytes);
        return new Latency(bytes);
    }

    @JsonCreator
    static Latency ofText(String base64) {
        Latency read = new Latency(Base64.getDecoder().decode(base64));
        Histogram unused = read.micros(); // So that a broken one is refused here.
        return read;
    }

    @JsonValue
    String text() {
        return Base64.getEncoder().encodeToString(compressed);
    }

    /** A histogram of its own; decoding takes a while, so ask once for many percentiles. */
    public Histogram micros() {
        try {
            return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(compressed), 0);
        } catch (DataFormatException | IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new IllegalArgumentException("This is no histogram: " + e, e);
        }
    }

    public double percentileMillis(double percentile) {
        return micros().getValueAtPercentile(percentile) / MICROS_PER_MILLI;
    }

    public long count() {
        return micros().getTotalCount();
    }

    public Latency plus(Latency other) {
        Histogram sum = micros();
        sum.add(other.micros());
        return of(sum);
    }
}
