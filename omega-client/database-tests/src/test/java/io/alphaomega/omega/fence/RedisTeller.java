package io.alphaomega.omega.fence;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A story in Redis: a line is one script, which fails before or after it has written where the line says so. */
final class RedisTeller implements FenceTranscripts.Teller {
    private static final String BRANCH = "car";

    /** What the row has besides replies, and that of the call. */
    private static final String ROW = """
            local said = {}
            local fields = redis.call('HKEYS', KEYS[1])
            table.sort(fields)
            for _, field in ipairs(fields) do
              local value = redis.call('HGET', KEYS[1], field)
              if field == 'forward:reply' then value = cmsgpack.unpack(value) or '' end
              said[#said + 1] = field
              said[#said + 1] = tostring(value)
            end
            return said
            """;

    private final RedisParticipant participant;

    RedisTeller(RedisParticipant participant) {
        this.participant = participant;
    }

    @Override
    public List<String> tell(String line) {
        String[] commands = line.split(";", 2);
        String fails = commands.length < 2 ? "" : commands[1].strip();
        try {
            return List.of("← " + perform(commands[0].strip().split(" ", 2), fails));
        } catch (ScriptFailedException e) {
            return List.of(e.wrote() ? "← half done" : "← failed");
        } catch (IllegalStateException e) {
            return List.of("← refused: " + e.getMessage());
        }
    }

    private String perform(String[] words, String fails) {
        String argument = words.length < 2 ? "" : words[1];
        return switch (words[0]) {
            case "forward" -> {
                RedisFence.Answer<Forward.Verdict> answer = participant.forward(BRANCH, work(1, fails, argument));
                Object reply = answer.verdict() == Forward.Verdict.DUPLICATE ? answer.reply() : null;
                yield answer.verdict() + (reply instanceof byte[] kept ? FenceStory.quoted(kept) : "");
            }
            case "bar" -> participant.bar(BRANCH) ? "BARRED" : "RAN";
            case "compensation" ->
                participant
                        .compensate(BRANCH, !argument.isEmpty(), work(-1, fails, ""))
                        .verdict()
                        .name();
            case "confirmation" ->
                participant.confirm(BRANCH, work(0, fails, "")).name();
            default -> throw new IllegalArgumentException("Redis cannot tell " + words[0]);
        };
    }

    private RedisFence.Work work(int bookings, String fails, String result) {
        String fail = "redis.error_reply('NO_CARS left')";
        String write = "redis.call('HINCRBY', KEYS[1], ARGV[1], " + bookings + ")\n";
        String reply = result.endsWith(" bytes")
                ? "string.rep('x', " + result.replace(" bytes", "") + ")"
                : result.isEmpty() ? "nil" : result;
        return participant.work(
                switch (fails) {
                    case "" -> write + "return " + reply;
                    case "fails" -> "return " + fail;
                    default -> write + "return " + fail;
                },
                BRANCH);
    }

    @Override
    public List<String> left() {
        List<?> fields = (List<?>) Objects.requireNonNull(participant.plainly(participant.onRow(ROW, BRANCH)));
        List<String> rows = new ArrayList<>();
        for (int i = 0; i < fields.size(); i += 2) {
            String field = text(fields.get(i));
            String value = text(fields.get(i + 1));
            int last = rows.size() - 1;
            if (field.equals("forward:reply")) {
                if (!value.isEmpty()) rows.set(last, rows.get(last) + " \"" + value + "\"");
            } else if (field.contains(":")) {
                if (!field.endsWith(":reply")) rows.set(last, rows.get(last) + " " + field.replaceAll(".*:", ""));
            } else {
                rows.add(FenceStory.row(field, value));
            }
        }
        return List.of(
                "rows: " + (rows.isEmpty() ? "none" : String.join(", ", rows)),
                "booked: " + participant.bookings(BRANCH));
    }

    private static String text(@Nullable Object reply) {
        return reply instanceof byte[] bytes ? new String(bytes, UTF_8) : String.valueOf(reply);
    }
}
