package io.alphaomega.repository.redis;

import io.alphaomega.repository.Attribute;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * What stands for a business key or an attribute in the index: hardly any two have the same one. It is stored, so it stays
 * what it is.
 */
final class KeyMark {
    private KeyMark() {}

    static int of(Attribute attribute) {
        return of(attribute.text());
    }

    static int of(String businessKey) {
        CRC32C crc = new CRC32C();
        crc.update(businessKey.getBytes(StandardCharsets.UTF_8));
        return (int) crc.getValue();
    }
}
