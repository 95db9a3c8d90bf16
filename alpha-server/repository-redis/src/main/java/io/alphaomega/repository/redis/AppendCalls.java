package io.alphaomega.repository.redis;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.AppendResult.Appended;
import io.alphaomega.repository.AppendResult.Conflict;
import io.alphaomega.repository.Version;
import io.alphaomega.repository.redis.Exchange.Call;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A batch of appends as calls of the script: one on a single server, one per bucket in a cluster. */
final class AppendCalls {
    /** A call holds up everybody else: this many take the server a millisecond or two. */
    private static final int ITEMS_MAX = 256;

    private static final int BYTES_MAX = 1024 * 1024;

    private static final SecureRandom RANDOM = new SecureRandom();

    /** The items that go together. */
    private static final class Group {
        final Bucket bucket;
        final List<Integer> members = new ArrayList<>();
        final List<byte[]> keys = new ArrayList<>();
        final List<byte[]> arguments = new ArrayList<>();
        int bytes;

        Group(Bucket bucket) {
            this.bucket = bucket;
        }

        boolean isFull(int more) {
            return members.size() == ITEMS_MAX || (!members.isEmpty() && bytes + more > BYTES_MAX);
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
    private final Map<Bucket, Group> open = new LinkedHashMap<>();

    private AppendCalls(boolean clustered, List<Append> batch) {
        this.clustered = clustered;
        this.batch = batch;
        versions = new Version[batch.size()];
        String token = HexFormat.of().toHexDigits(RANDOM.nextLong());
        for (int i = 0; i < batch.size(); i++) add(i, token);
    }

    static List<AppendResult> run(Operation operation, List<Append> batch, int replicas) {
        AppendCalls appends = new AppendCalls(operation.isCluster(), batch);
        List<Call> calls = appends.groups.stream()
                .map(group -> group.call(appends.clustered))
                .toList();
        return appends.results(Exchange.writing(operation, Script.APPEND, calls, replicas));
    }

    private void add(int number, String token) {
        Append item = batch.get(number);
        Version version = new Version(item.expected().sequence() + item.events().size(), token);
        versions[number] = version;
        Bucket bucket = Bucket.of(item.id());
        byte[] header = SagaRecord.header(item.summary());
        byte[] record = SagaRecord.record(item, version, header);

        Bucket key = clustered ? bucket : Bucket.ALL.getFirst();
        Group group = open.get(key);
        if (group == null || group.isFull(header.length + record.length)) {
            group = new Group(bucket);
            open.put(key, group);
            groups.add(group);
        }
        group.members.add(number);
        group.keys.add(bucket.saga(item.id()));
        group.arguments.addAll(List.of(SagaRecord.version(item.expected()), record, header));
        group.bytes += header.length + record.length;
    }

    private List<AppendResult> results(List<List<Object>> answers) {
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
