package io.alphaomega.omega.transport;

import org.springframework.cloud.loadbalancer.annotation.LoadBalancerClients;
import org.springframework.cloud.openfeign.EnableFeignClients;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.annotation.EnableScheduling;

/** The service with everything that calls it by other ways than messages: one application for several tests. */
@Configuration(proxyBeanMethods = false)
@EnableScheduling
@EnableFeignClients(clients = HttpClientsTest.FeignStock.class)
@LoadBalancerClients(defaultConfiguration = HttpClientsTest.Here.class)
@Import({
    Shop.class,
    Telegraph.class,
    SagaCarrierTest.Inventory.class,
    GrpcTest.StockService.class,
    DubboTest.Services.class,
    HttpClientsTest.Endpoint.class,
    HttpClientsTest.Trying.class
})
class CalledShop {}
