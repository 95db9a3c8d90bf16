package io.alphaomega.omega.spring;

import io.alphaomega.protocol.v1.BeginBranch;
import io.alphaomega.protocol.v1.FailBranch;
import io.alphaomega.protocol.v1.Input;
import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * An application with the {@link LaterShop}, without a database, and its alpha, for the tests of one class: in a static field
 * with {@code @RegisterExtension}.
 */
final class RunningLaterShop implements BeforeEachCallback, AfterAllCallback {
    final SmallAlpha alpha = new SmallAlpha();
    final ConfigurableApplicationContext application = Applications.started(Shopping.class, "shop", alpha);
    final LaterShop.Counter counter = application.getBean(LaterShop.Counter.class);
    final LaterShop.Desk desk = application.getBean(LaterShop.Desk.class);
    private int seen;

    @Configuration(proxyBeanMethods = false)
    @Applications.EnableWithoutDataSource
    @Import({LaterShop.Counter.class, LaterShop.Desk.class})
    static class Shopping {}

    @Override
    public void beforeEach(ExtensionContext test) {
        alpha.silentOn = input -> false;
        alpha.answer = input -> null;
        alpha.observer = input -> {};
        desk.anew();
        seen = alpha.inputs().size();
    }

    /** What alpha was told in this test. */
    List<Input> told() {
        List<Input> all = alpha.inputs();
        return all.subList(seen, all.size());
    }

    List<Input.KindCase> kinds() {
        return told().stream().map(Input::getKindCase).toList();
    }

    List<BeginBranch> branches() {
        return told().stream()
                .filter(Input::hasBeginBranch)
                .map(Input::getBeginBranch)
                .toList();
    }

    List<FailBranch> failed() {
        return told().stream()
                .filter(Input::hasFailBranch)
                .map(Input::getFailBranch)
                .toList();
    }

    @Override
    public void afterAll(ExtensionContext tests) {
        application.close();
        alpha.close();
    }
}
