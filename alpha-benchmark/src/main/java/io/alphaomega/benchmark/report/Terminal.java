package io.alphaomega.benchmark.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.Charset;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * Where progress is shown: standard error, so that standard output holds the result alone.
 *
 * @param interactive lines can be drawn again
 * @param colours NO_COLOR is not set
 * @param blocks block characters can be written
 * @param width in columns, now
 */
record Terminal(PrintStream out, boolean interactive, boolean colours, boolean blocks, IntSupplier width) {
    private static final int WIDTH_UNKNOWN = 80;

    /** The shell answers at once or never. */
    private static final long SHELL_SECONDS = 2;

    static Terminal standardError() {
        boolean interactive = !"dumb".equals(System.getenv("TERM")) && isTerminal();
        String noColour = System.getenv("NO_COLOR");
        boolean blocks = Charset.forName(System.getProperty("stderr.encoding", "US-ASCII"))
                .newEncoder()
                .canEncode('█');
        return new Terminal(
                System.err, interactive, noColour == null || noColour.isEmpty(), blocks, Terminal::widthNow);
    }

    /** Java tells it of standard input and output only. */
    private static boolean isTerminal() {
        try {
            Process test = new ProcessBuilder("sh", "-c", "test -t 2")
                    .redirectError(Redirect.INHERIT)
                    .start();
            return test.waitFor(SHELL_SECONDS, TimeUnit.SECONDS) && test.exitValue() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static int widthNow() {
        try {
            Process size = new ProcessBuilder("sh", "-c", "stty size </dev/tty")
                    .redirectError(Redirect.DISCARD)
                    .start();
            String[] rowsAndColumns = new String(size.getInputStream().readAllBytes(), UTF_8)
                    .trim()
                    .split(" ", -1);
            int columns = Integer.parseInt(rowsAndColumns[rowsAndColumns.length - 1]);
            return columns > 0 ? columns : WIDTH_UNKNOWN;
        } catch (IOException | NumberFormatException e) {
            return WIDTH_UNKNOWN;
        }
    }
}
