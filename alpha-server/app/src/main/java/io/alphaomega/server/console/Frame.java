package io.alphaomega.server.console;

/**
 * What every page has around it.
 *
 * @param url of this page as it is asked for again while it is live; empty if it is not
 * @param stuck how many sagas are known to be
 */
record Frame(String title, Tab tab, String url, long stuck, String version) {
    /** The pages that are always at hand. */
    enum Tab {
        OVERVIEW("Overview", "/overview"),
        STUCK("Stuck", "/stuck"),
        SAGAS("Sagas", "/sagas"),
        SERVICES("Services", "/services"),
        NODES("Nodes", "/nodes"),
        COVERAGE("Coverage", "/coverage"),
        DOCS("Runbook", "/docs/operating");

        private final String label;
        private final String path;

        Tab(String label, String path) {
            this.label = label;
            this.path = path;
        }

        String label() {
            return label;
        }

        String path() {
            return path;
        }
    }

    boolean isLive() {
        return !url.isEmpty();
    }

    /** How often it is asked for again. A saga that waits for a person may do so for days. */
    String every() {
        return tab == Tab.SAGAS ? "5s" : "2s";
    }
}
