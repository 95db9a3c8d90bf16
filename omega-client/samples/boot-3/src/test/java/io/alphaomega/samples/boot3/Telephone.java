package io.alphaomega.samples.boot3;

import io.alphaomega.omega.SagaStart;
import org.apache.dubbo.config.annotation.DubboReference;
import org.springframework.stereotype.Service;

/** Orders at the desk by Dubbo, as if that were another service. */
@Service
class Telephone {
    @DubboReference(url = "dubbo://127.0.0.1:${dubbo.protocols.plain.port}", scope = "remote", check = false)
    private OrderDesk dubbo;

    @DubboReference(url = "tri://127.0.0.1:${dubbo.protocols.triple.port}", scope = "remote", check = false)
    private OrderDesk tri;

    @SagaStart(timeout = "60s")
    public void order(String protocol, String item) {
        desk(protocol).order(item);
    }

    @SagaStart(timeout = "60s")
    public void orderAndHangUp(String protocol, String item) {
        desk(protocol).order(item);
        throw new IllegalStateException("hung up");
    }

    private OrderDesk desk(String protocol) {
        return protocol.equals("tri") ? tri : dubbo;
    }
}
