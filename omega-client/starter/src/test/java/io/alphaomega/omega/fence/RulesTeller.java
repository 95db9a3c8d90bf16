package io.alphaomega.omega.fence;

import java.util.ArrayList;
import java.util.List;

/** By the rules in memory, both where transactions read the latest and where they do not. */
final class RulesTeller implements FenceTranscripts.Teller {
    private final MemoryRows rows = new MemoryRows(false);
    private final MemoryRows latest = new MemoryRows(true);
    private final FenceStory story = new FenceStory(rows::open, "car");
    private final FenceStory likewise = new FenceStory(latest::open, "car");

    @Override
    public List<String> tell(String line) throws Exception {
        rows.steps.clear();
        latest.steps.clear();
        List<String> verdicts = story.tell(line);
        if (!verdicts.equals(likewise.tell(line))) throw new IllegalStateException("other verdicts by " + latest.steps);
        List<String> told = new ArrayList<>();
        for (String step : rows.steps) {
            boolean taken = !latest.steps.isEmpty() && latest.steps.get(0).equals(step);
            if (taken) latest.steps.remove(0);
            told.add("  " + (taken ? "" : "~ ") + step);
        }
        if (!latest.steps.isEmpty())
            throw new IllegalStateException("more steps where it reads the latest: " + latest.steps);
        told.addAll(verdicts);
        return told;
    }

    @Override
    public List<String> left() throws Exception {
        return story.left();
    }
}
