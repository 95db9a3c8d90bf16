package io.alphaomega.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import akka.cluster.Valid$;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigValueFactory;
import io.alphaomega.server.saga.TestNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a node that wants to join finds in its cluster's configuration. */
class JoinTermsTest {
    private static final String SHARDS = "alpha.terms.shards";

    private final Config own = ConfigFactory.parseMap(JoinTerms.of(TestNode.alone()));

    @AfterEach
    void forget() {
        JoinTerms.forget(own);
    }

    private boolean mayJoin(Config theirs) {
        return new JoinTerms().check(theirs, own).equals(Valid$.MODULE$);
    }

    @Test
    void a_cluster_of_the_same_terms_may_be_joined() {
        assertThat(mayJoin(ConfigFactory.parseMap(JoinTerms.of(TestNode.at(4711, 4712)))))
                .isTrue();
        assertThat(JoinTerms.refusal(own)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {SHARDS, "alpha.terms.protocol"})
    void one_that_differs_in_what_comes_with_the_version_may_not(String term) {
        assertThat(mayJoin(own.withValue(term, ConfigValueFactory.fromAnyRef(99))))
                .isFalse();
        assertThat(JoinTerms.refusal(own))
                .hasValueSatisfying(sentence -> assertThat(sentence)
                        .endsWith("which comes with alpha's version is %s here but 99 in the cluster"
                                .formatted(own.getString(term))));
    }

    /** More may come. One that gets another name would not be compared any more. */
    @Test
    void terms_have_fixed_names() {
        assertThat(own.getConfig("alpha.terms").root().keySet())
                .contains("name", "resolver", "stable-after", "shards", "protocol");
        assertThat(new JoinTerms().requiredKeys().mkString(" "))
                .isEqualTo("alpha.terms.name alpha.terms.resolver alpha.terms.stable-after alpha.terms.shards"
                        + " alpha.terms.protocol");
    }

    @Test
    void one_of_an_older_version_that_knows_fewer_terms_may() {
        assertThat(mayJoin(own.withoutPath(SHARDS))).isTrue();
    }
}
