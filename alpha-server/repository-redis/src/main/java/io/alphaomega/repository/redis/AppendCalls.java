package io.alphaomega.repository.redis;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.AppendResult.Appended;
import io.alphaomega.repository.AppendResult.Conflict;
import io.alphaomega.repository.Version;
import io.alphaomega.repository.redis.ScriptCalls.Call;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A batch of appends as calls of the script: one on a single server, one per bucket in a cluster. */
final class AppendCalls {
    /** A call holds up everybody else: this many take the server a millisecond or two. */
    private static final int ITEMS_MAX = 256;

    private static final int BYTES_MAX = 1024 * 1024;

    /** What a key takes, and an append with a small event; more only costs a copy. */
    private static final int KEY_BYTES = 64;

    private static final int ITEM_BYTES = 384;

    private static final SecureRandom RANDOM = new SecureRandom();

    /** The items that go together. */
    private static final class Group {
        final Bucket bucket;
        final List<Integer> members = new ArrayList<>();
        final CommandArguments keys;
        final CommandArguments arguments;

        Group(Bucket bucket, int items) {
            this.bucket = bucket;
            keys = new CommandArguments(KEY_BYTES * items);
            arguments = new CommandArguments(ITEM_BYTES * items);
        }

        boolean isFull(int more) {
            return members.size() == ITEMS_MAX || (!members.isEmpty() && arguments.bytes() + more > BYTES_MAX);
        }

        /**
         * In a cluster all keys that the script touches are declared: while a part of the keys is moved to another
         * server, the call is then refused as a whole and not in the middle.
         */
        Call call(boolean clustered) {
            if (clustered) keys.add(bucket.index());
            return new Call(bucket, keys, arguments);
        }
    }

    private final boolean clustered;
    private final List<Append> batch;
    private final Version[] versions;
    private final List<Group> groups = new ArrayList<>();
    private final Map<Bucket, Group> open = new HashMap<>();
    private final Bytes key = new Bytes(KEY_BYTES);
    private final Bytes header = new Bytes(ITEM_BYTES);
    private final Bytes record = new Bytes(ITEM_BYTES);

    private AppendCalls(boolean clustered, List<Append> batch, long random) {
        this.clustered = clustered;
        this.batch = batch;
        versions = new Version[batch.size()];
        for (int i = 0; i < batch.size(); i++) add(i, random);
    }

    static List<AppendResult> run(Operation operation, List<Append> batch, int replicas) {
        AppendCalls appends = new AppendCalls(operation.isCluster(), batch, RANDOM.nextLong());
        return appends.results(ScriptCalls.writing(operation, LuaScript.APPEND, appends.calls(), replicas));
    }

    /**
     * Of a batch for a single server.
     *
     * @param random makes its versions unlike those of any other batch
     */
    static AppendCalls single(List<Append> batch, long random) {
        return new AppendCalls(false, batch, random);
    }

    List<Call> calls() {
        return groups.stream().map(group -> group.call(clustered)).toList();
    }

    private void add(int number, long random) {
        Append item = batch.get(number);
        int hash = VersionToken.hash(item.summary());
        VersionToken token = VersionToken.of(item.expected())
                .map(before -> before.next(random, hash))
                .orElseGet(() -> VersionToken.first(random, hash));
        Version version = new Version(item.expected().sequence() + item.events().size(), token.text());
        versions[number] = version;
        header.clear();
        if (token.bringsHeader()) SagaRecord.writeHeader(item.summary(), header);
        SagaRecord.write(item, version, token, record.clear());

        Group group = group(item, header.size() + record.size());
        group.members.add(number);
        group.keys.add(Bucket.of(item.id()).saga(item.id(), key.clear()));
        group.arguments.add(SagaRecord.version(item.expected())).add(record).add(header);
    }

    private Group group(Append item, int bytes) {
        Bucket bucket = Bucket.of(item.id());
        Bucket together = clustered ? bucket : Bucket.ALL.getFirst();
        Group group = open.get(together);
        if (group == null || group.isFull(bytes)) {
            group = new Group(bucket, clustered ? 1 : Math.min(batch.size(), ITEMS_MAX));
            open.put(together, group);
            groups.add(group);
        }
        return group;
    }

    /** @param answers what the script returned for each call */
    List<AppendResult> results(List<List<Object>> answers) {
        List<AppendResult> results = new ArrayList<>(batch.size());
        for (Version version : versions) results.add(new Appended(version));
        for (int i = 0; i < groups.size(); i++) {
            List<Object> conflicts = answers.get(i);
            for (int k = 0; k + 1 < conflicts.size(); k += 2) {
                int number = groups.get(i).members.get(((Long) conflicts.get(k)).intValue() - 1);
                results.set(number, new Conflict(SagaRecord.version((byte[]) conflicts.get(k + 1))));
            }
        }
        return results;
    }
}
