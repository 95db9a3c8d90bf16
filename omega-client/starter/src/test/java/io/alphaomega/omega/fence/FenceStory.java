package io.alphaomega.omega.fence;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** One branch whose calls and callbacks come in an order that a transcript tells, each line in a local transaction. */
final class FenceStory implements FenceTranscripts.Teller {
    /** Opens transactions of whichever database. */
    interface Database {
        Participant.Transaction open() throws Exception;
    }

    private final Database database;
    private final String branch;

    FenceStory(Database database, String branch) {
        this.database = database;
        this.branch = branch;
    }

    /** The business has failed. */
    private static final class FailedException extends Exception {}

    @Override
    public List<String> tell(String line) throws Exception {
        List<String> told = new ArrayList<>();
        Participant.Transaction transaction = database.open();
        try {
            for (String command : line.split(";", -1)) told.add("← " + perform(transaction, command.strip()));
            transaction.commit();
        } catch (FailedException e) {
            transaction.rollback();
            told.add("← rolled back");
        } catch (IllegalArgumentException | IllegalStateException e) {
            transaction.rollback();
            told.add("← refused: " + String.valueOf(e.getMessage()).replace(branch, "car"));
        }
        return told;
    }

    /** The rows of the branch and its bookings. */
    @Override
    public List<String> left() throws Exception {
        Participant.Transaction transaction = database.open();
        String result = transaction.result(branch).map(FenceStory::quoted).orElse("");
        String rows = new TreeMap<>(transaction.rows(branch))
                .entrySet().stream()
                        .map(row -> row(row.getKey(), row.getValue().reason())
                                + (row.getKey().equals(FenceRow.FORWARD) ? result : ""))
                        .collect(Collectors.joining(", "));
        int bookings = transaction.count("SELECT COUNT(*) FROM booking WHERE branch = ", branch);
        transaction.commit();
        return List.of("rows: " + (rows.isEmpty() ? "none" : rows), "booked: " + bookings);
    }

    private String perform(Participant.Transaction transaction, String command) throws Exception {
        String[] words = command.split(" ", 2);
        Optional<String> argument = words.length < 2 ? Optional.empty() : Optional.of(words[1]);
        return switch (words[0]) {
            case "begin" -> {
                transaction.begin(branch);
                yield "noted";
            }
            case "forward" -> forward(transaction, argument.map(FenceTranscripts::bytes));
            case "again" -> said(transaction.again(branch));
            case "result" -> {
                transaction.storeResult(branch, FenceTranscripts.bytes(argument.orElseThrow()));
                yield "stored";
            }
            case "bar" -> transaction.bar(branch) ? "BARRED" : "RAN";
            case "compensation" -> compensation(transaction, argument.isPresent());
            case "confirmation" ->
                transaction.confirmation(branch, argument.isEmpty()).name();
            case "sequel" -> transaction.sequel(branch) ? "FOLLOWS" : "NOT";
            case "fails" -> throw new FailedException();
            default -> throw new IllegalStateException("Nobody knows the command " + command);
        };
    }

    private String forward(Participant.Transaction transaction, Optional<byte[]> result) throws Exception {
        Forward forward = transaction.forward(branch);
        if (forward.verdict() == Forward.Verdict.RUN) {
            transaction.book(branch);
            if (result.isPresent()) transaction.storeResult(branch, result.get());
        }
        return said(forward);
    }

    private String compensation(Participant.Transaction transaction, boolean forwardEnded) throws Exception {
        Compensation said = transaction.compensation(branch, forwardEnded);
        boolean booked = transaction.count("SELECT COUNT(*) FROM booking WHERE branch = ", branch) > 0;
        if (said == Compensation.RUN && booked) transaction.cancel(branch);
        return said.name();
    }

    private static String said(Forward forward) {
        return forward.verdict() + forward.result().map(FenceStory::quoted).orElse("");
    }

    static String quoted(byte[] result) {
        return " \"" + new String(result, UTF_8) + "\"";
    }

    /** A row, and what put it there if that was another operation. */
    static String row(String op, String reason) {
        return op.equals(reason) ? op : op + " (" + reason + ")";
    }
}
