package io.alphaomega.server.console;

import io.alphaomega.server.epoch.StoreEpoch;
import io.alphaomega.server.insight.ClusterInsight;
import io.alphaomega.server.insight.StuckView;
import io.alphaomega.server.insight.Trouble;
import java.util.List;
import java.util.Optional;

/**
 * What every page has around it.
 *
 * @param url of this page as it is asked for again while it is live; empty if it is not
 * @param query of this page's address, without the language; empty if it has none
 * @param stuck how many sagas are; empty if nobody knows
 * @param troubles what keeps alpha from working or from seeing all there is
 * @param held what to say of sagas that are held because the store was set back; empty if none are
 */
record Frame(
        Words words,
        String title,
        Tab tab,
        String url,
        String query,
        Optional<Long> stuck,
        List<Trouble> troubles,
        String version,
        String held) {
    /** Without a word of held sagas. */
    Frame(
            Words words,
            String title,
            Tab tab,
            String url,
            String query,
            Optional<Long> stuck,
            List<Trouble> troubles,
            String version) {
        this(words, title, tab, url, query, stuck, troubles, version, "");
    }

    /** The same, which says that sagas are held. */
    Frame holding(StoreEpoch.Holding holding) {
        String said = holding.why() + " " + words.count("held.are", holding.sagas());
        return new Frame(words, title, tab, url, query, stuck, troubles, version, said);
    }

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

    /** How many sagas are stuck, for the tab; empty if none is, a question mark if nobody knows. */
    String stuckCount() {
        return stuck.map(count -> count == 0 ? "" : Words.number(count)).orElse("?");
    }

    /** @param insight empty where the nodes were not asked */
    static Optional<Long> stuck(Optional<ClusterInsight> insight) {
        return insight.flatMap(ClusterInsight::knownStuck).map(StuckView::count);
    }

    boolean isLive() {
        return !url.isEmpty();
    }

    /** Where this page is in another language. */
    String in(String language) {
        return "?" + (query.isEmpty() ? "" : query + "&") + LanguageConfiguration.PARAMETER + "=" + language;
    }
}
