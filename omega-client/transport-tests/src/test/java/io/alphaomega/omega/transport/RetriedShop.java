package io.alphaomega.omega.transport;

import io.alphaomega.omega.Compensable;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.cloud.loadbalancer.annotation.LoadBalancerClients;
import org.springframework.cloud.openfeign.EnableFeignClients;
import org.springframework.cloud.openfeign.FeignClient;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** A service whose callers call once more when they hear of no success. */
@Configuration(proxyBeanMethods = false)
@EnableFeignClients(clients = RetriedShop.FeignDesk.class)
@LoadBalancerClients(defaultConfiguration = HttpClientsTest.Here.class)
@Import({Shop.class, RetriedShop.Desk.class, RetriedShop.Endpoint.class})
class RetriedShop {
    @FeignClient(name = "stock", contextId = "desk")
    interface FeignDesk {
        @PostMapping("/desk/{method}")
        void book(@PathVariable("method") String method, @RequestBody String item);
    }

    /** A method for each way, as each is warned of once. */
    static class Desk {
        private final Map<String, Integer> booked = new ConcurrentHashMap<>();

        @Transactional
        @Compensable(compensationMethod = "cancel", name = "resilience4j")
        public void byResilience4j(String item) {
            book(item);
        }

        @Transactional
        @Compensable(compensationMethod = "cancel", name = "retryable")
        public void byRetryable(String item) {
            book(item);
        }

        @Transactional
        @Compensable(compensationMethod = "cancel", name = "webclient")
        public void byWebClient(String item) {
            book(item);
        }

        @Transactional
        @Compensable(compensationMethod = "cancel", name = "feign")
        public void byFeign(String item) {
            book(item);
        }

        @Transactional
        @Compensable(compensationMethod = "cancel", name = "key")
        public void withKey(String item) {
            book(item);
        }

        @Transactional
        @Compensable(compensationMethod = "cancel", name = "plain")
        public void plainly(String item) {
            book(item);
        }

        int booked(String item) {
            return booked.getOrDefault(item, 0);
        }

        private void book(String item) {
            booked.merge(item, 1, Integer::sum);
        }

        public void cancel(String item) {
            booked.merge(item, -1, Integer::sum);
        }
    }

    @RestController
    static class Endpoint {
        private final Desk desk;

        /** How the first of these calls is answered; then it is forgotten. */
        final Map<String, HttpStatus> unheard = new ConcurrentHashMap<>();

        /** Whether what is unheard was not done either. */
        volatile boolean before;

        Endpoint(Desk desk) {
            this.desk = desk;
        }

        @PostMapping("/desk/{method}")
        ResponseEntity<Void> book(@PathVariable("method") String method, @RequestBody String item) {
            HttpStatus status = unheard.remove(method);
            if (status != null && before) return ResponseEntity.status(status).build();
            switch (method) {
                case "byResilience4j" -> desk.byResilience4j(item);
                case "byRetryable" -> desk.byRetryable(item);
                case "byWebClient" -> desk.byWebClient(item);
                case "byFeign" -> desk.byFeign(item);
                case "withKey" -> desk.withKey(item);
                default -> desk.plainly(item);
            }
            return ResponseEntity.status(status == null ? HttpStatus.OK : status)
                    .build();
        }
    }
}
