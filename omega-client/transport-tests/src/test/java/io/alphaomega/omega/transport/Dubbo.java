package io.alphaomega.omega.transport;

import io.alphaomega.repository.servers.ServerProcess;
import java.util.List;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.config.ApplicationConfig;
import org.apache.dubbo.config.ProtocolConfig;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.config.ServiceConfig;
import org.apache.dubbo.config.bootstrap.DubboBootstrap;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;

/** Applications of Dubbo that serve and call the warehouse over sockets, without a registry. */
final class Dubbo {
    private Dubbo() {}

    static ApplicationModel application(FrameworkModel framework, String name) {
        ApplicationModel application = framework.newApplication();
        application.getApplicationConfigManager().setApplication(config(new ApplicationConfig(application, name)));
        return application;
    }

    static ApplicationConfig config(ApplicationConfig application) {
        application.setQosEnable(false);
        application.setShutwait("1");
        return application;
    }

    static ServiceConfig<Warehouse> service(ApplicationModel application, Warehouse warehouse) {
        ServiceConfig<Warehouse> service = new ServiceConfig<>(application.getDefaultModule());
        service.setInterface(Warehouse.class);
        service.setRef(warehouse);
        return service;
    }

    /** By each protocol, on a port of its own: Dubbo has one of its own choice for all applications of a process. */
    static void export(ApplicationModel application, List<ServiceConfig<Warehouse>> services) {
        export(application, services, ServerProcess.freePort(), ServerProcess.freePort());
    }

    static void export(
            ApplicationModel application, List<ServiceConfig<Warehouse>> services, int dubboPort, int triPort) {
        DubboBootstrap bootstrap = DubboBootstrap.getInstance(application)
                .registry(new RegistryConfig(RegistryConfig.NO_AVAILABLE))
                .protocol(new ProtocolConfig("dubbo", dubboPort))
                .protocol(new ProtocolConfig("tri", triPort));
        services.forEach(bootstrap::service);
        bootstrap.start();
    }

    static ReferenceConfig<Warehouse> reference(
            ApplicationModel caller, ServiceConfig<Warehouse> exported, String protocol) {
        int port = exported.getExportedUrls().stream()
                .filter(url -> url.getProtocol().equals(protocol))
                .mapToInt(URL::getPort)
                .findFirst()
                .orElseThrow();
        ReferenceConfig<Warehouse> reference = reference(caller, protocol, port);
        reference.setGroup(exported.getGroup());
        return reference;
    }

    static ReferenceConfig<Warehouse> reference(ApplicationModel caller, String protocol, int port) {
        ReferenceConfig<Warehouse> reference = new ReferenceConfig<>(caller.getDefaultModule());
        reference.setInterface(Warehouse.class);
        reference.setUrl(protocol + "://127.0.0.1:" + port);
        reference.setScope("remote");
        reference.setTimeout(60_000);
        reference.setRetries(0);
        return reference;
    }
}
