package io.alphaomega.server.console;

/**
 * What every page has around it.
 *
 * @param url of this page as it is asked for again while it is live; empty if it is not
 * @param query of this page's address, without the language; empty if it has none
 * @param stuck how many sagas are known to be
 */
record Frame(Words words, String title, Tab tab, String url, String query, long stuck, String version) {
    /** The pages that are always at hand. */
    enum Tab {
        OVERVIEW("/overview"),
        STUCK("/stuck"),
        SAGAS("/sagas"),
        ORDERS("/orders"),
        SERVICES("/services"),
        NODES("/nodes"),
        COVERAGE("/coverage"),
        DOCS("/docs/operating");

        private final String path;

        Tab(String path) {
            this.path = path;
        }

        String path() {
            return path;
        }
    }

    boolean isLive() {
        return !url.isEmpty();
    }

    /** Where this page is in another language. */
    String in(String language) {
        return "?" + (query.isEmpty() ? "" : query + "&") + LanguageConfiguration.PARAMETER + "=" + language;
    }
}
