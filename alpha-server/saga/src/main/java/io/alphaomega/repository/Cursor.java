package io.alphaomega.repository;

/** Where a scan stands. Opaque to everyone but the plugin that issued it; a plugin refuses one it cannot read. */
public record Cursor(String value) {
    public static final Cursor START = new Cursor("");
}
