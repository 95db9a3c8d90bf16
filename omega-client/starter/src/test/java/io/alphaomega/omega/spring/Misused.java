package io.alphaomega.omega.spring;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.alphaomega.omega.AfterCommit;
import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.Participate;
import io.alphaomega.omega.SagaEnd;
import io.alphaomega.omega.SagaPropagation;
import io.alphaomega.omega.SagaStart;
import jakarta.persistence.Entity;
import java.lang.reflect.Proxy;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.beans.factory.annotation.AnnotationBeanWiringInfoResolver;
import org.springframework.beans.factory.annotation.Configurable;
import org.springframework.beans.factory.config.AutowireCapableBeanFactory;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.wiring.BeanConfigurerSupport;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.core.task.support.ContextPropagatingTaskDecorator;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Flux;

/** What docs/misuse shows, for {@link MisuseTest} to run. The pages' lines of code are lines of this file or of that. */
class Misused {
    private Misused() {}

    // ---- refused at start

    static class SelfishTrips {
        @SagaStart
        public void book(String guest) {
            hotel(guest);
        }

        @Compensable(compensationMethod = "cancel")
        public void hotel(String guest) {}

        public void cancel(String guest) {}
    }

    static class PrivateDesk {
        @Compensable(compensationMethod = "cancel")
        private void book() {}

        public void cancel() {
            book();
        }
    }

    static class StaticTrips {
        @SagaStart
        public static void book() {}
    }

    static class FinalTrips {
        @SagaStart
        public final void book() {}
    }

    static final class FinalDesk {
        @Compensable(compensationMethod = "cancel")
        public void book() {}

        public void cancel() {}
    }

    static class ForgetfulDesk {
        @Compensable(compensationMethod = "cancle")
        public String book(String guest) {
            return guest;
        }

        public void cancel(String guest) {}
    }

    static class StrangeDesk {
        @Compensable(compensationMethod = "cancel")
        public String book(String guest, int nights) {
            return guest;
        }

        public void cancel(int nights) {}
    }

    static class SeatDesk {
        @Participate(confirmMethod = "sell", cancelMethod = "release")
        public String hold(String guest) {
            return guest;
        }

        public void sell(long ticket) {}

        public void release(String guest) {}
    }

    static class TableDesk {
        @Participate(confirmMethod = "sell", cancelMethod = "release")
        public String hold(String guest) {
            return guest;
        }

        public void sell(String guest) {}

        public void release(long ticket) {}
    }

    static class HastyDesk {
        @Compensable(compensationMethod = "cancel")
        public Future<String> book(String guest) {
            throw new UnsupportedOperationException(guest);
        }

        public void cancel(String guest) {}
    }

    static class CarDesk {
        @Compensable(compensationMethod = "cancel", name = "cancel")
        public void book() {}

        public void cancel() {}
    }

    static class BikeDesk {
        @Compensable(compensationMethod = "cancel", name = "cancel")
        public void book() {}

        public void cancel() {}
    }

    static class PrototypeDesk {
        @Compensable(compensationMethod = "cancel")
        public void book() {}

        public void cancel() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Prototypes {
        @Bean
        @Scope("prototype")
        PrototypeDesk prototypeDesk() {
            return new PrototypeDesk();
        }

        @Bean
        Object user(PrototypeDesk prototypeDesk) {
            return prototypeDesk.toString();
        }
    }

    interface Bookable {
        @Compensable(compensationMethod = "cancel")
        void book(String guest);

        void cancel(String guest);
    }

    static class RoomDesk implements Bookable {
        @Override
        public void book(String guest) {}

        @Override
        public void cancel(String guest) {}
    }

    static class LoudDesk implements Bookable {
        private final RoomDesk inner;

        LoudDesk(RoomDesk inner) {
            this.inner = inner;
        }

        @Override
        public void book(String guest) {
            inner.book(guest);
        }

        @Override
        public void cancel(String guest) {
            inner.cancel(guest);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class SecretDesks {
        @Bean
        @Lazy
        Object secretDesk() {
            return new BikeDesk();
        }
    }

    static class HandMadeDesks {
        HandMadeDesks(AutowireCapableBeanFactory factory) {
            CarDesk unused = factory.createBean(CarDesk.class);
        }
    }

    @Configurable
    static class Purchase {
        @SagaStart
        public void pay() {}
    }

    /** Does what AspectJ's aspect of Spring does at each {@code new}. */
    static class Aspect {
        Aspect(ConfigurableListableBeanFactory beans) {
            BeanConfigurerSupport aspect = new BeanConfigurerSupport();
            aspect.setBeanFactory(beans);
            aspect.setBeanWiringInfoResolver(new AnnotationBeanWiringInfoResolver());
            aspect.configureBean(new Purchase());
        }
    }

    static class TaxiDesk {
        @Compensable(compensationMethod = "stop", fenced = false)
        public void drive() {}

        public void stop() {}
    }

    static class DeskRegistrar implements BeanFactoryPostProcessor {
        @Override
        public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
            beans.registerSingleton("carDesk", new CarDesk());
        }
    }

    interface Wish {}

    static class WishDesk {
        @Compensable(compensationMethod = "cancel")
        public void book(Wish wish) {}

        public void cancel(Wish wish) {}
    }

    static class Insurance {
        @SagaStart(propagation = SagaPropagation.MANDATORY, timeout = "30s")
        public void insure() {}
    }

    static class UntransactedDesk {
        @Compensable(compensationMethod = "cancel")
        @Transactional(propagation = Propagation.NOT_SUPPORTED)
        public void book(String guest) {}

        public void cancel(String guest) {}
    }

    @Transactional(readOnly = true)
    static class ReadingDesk {
        @Compensable(compensationMethod = "cancel")
        public void book(String guest) {}

        public void cancel(String guest) {}
    }

    static class ApartDesk {
        @Compensable(compensationMethod = "cancel")
        public void book(String guest) {}

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void cancel(String guest) {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(order = 0)
    static class TransactionsFirst {}

    static class OrderedDesk {
        @Compensable(compensationMethod = "cancel")
        @Transactional
        public void book() {}

        public void cancel() {}
    }

    static class MistakenLetters {
        @AfterCommit("CarDesk.rent")
        public void thank() {}
    }

    // ---- said at start

    static class Cars {
        private final RestClient client = RestClient.create();

        RestClient client() {
            return client;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @AutoConfigurationPackage
    @Import(Cars.class)
    static class Clients {
        @Bean
        RestTemplate hotels() {
            return new RestTemplate();
        }

        @Bean
        WebClient flights() {
            return WebClient.create();
        }
    }

    @Entity
    static class Customer {
        public String name = "";
    }

    static class EntityDesk {
        @Compensable(compensationMethod = "cancel")
        public void book(Customer customer) {}

        public void cancel(Customer customer) {}
    }

    record Card(String holder, @JsonIgnore String number) {}

    static class CardDesk {
        @Compensable(compensationMethod = "refund")
        public void charge(Card card) {}

        public void refund(Card card) {}
    }

    interface RoomApi {
        @Compensable(compensationMethod = "cancel")
        void book(String guest);
    }

    @Configuration(proxyBeanMethods = false)
    static class Proxies {
        @Bean
        RoomApi rooms() {
            return (RoomApi) Proxy.newProxyInstance(
                    RoomApi.class.getClassLoader(), new Class<?>[] {RoomApi.class}, (proxy, method, arguments) -> null);
        }
    }

    static class UnfencedDesk {
        @Compensable(compensationMethod = "cancel")
        public void book(String guest) {}

        public void cancel(String guest) {}
    }

    static class SeatStream {
        @Compensable(compensationMethod = "release")
        public Flux<String> hold(String guest) {
            return Flux.just(guest);
        }

        public void release(String guest) {}
    }

    // ---- refused at the call, or said in the log: all in one application

    static class Trips {
        @SagaStart
        public void plan(Runnable business) {
            business.run();
        }

        @SagaStart(propagation = SagaPropagation.MANDATORY)
        public void insure() {}

        @SagaStart(propagation = SagaPropagation.NEVER)
        public void report() {}

        @SagaStart(propagation = SagaPropagation.NOT_SUPPORTED)
        public void log(Runnable business) {
            business.run();
        }

        @SagaEnd
        public void finish() {}
    }

    static class Node {
        public final List<Node> others = new ArrayList<>();
    }

    static class Order {
        public String item = "";
    }

    static class GiftOrder extends Order {
        public String wrapping = "gold";
    }

    static class Desk {
        @Compensable(compensationMethod = "cancel")
        @Transactional
        public void book(String guest) {
            if (guest.equals("Nobody")) throw new IllegalArgumentException("no such guest");
        }

        public void cancel(String guest) {}

        @Compensable(compensationMethod = "cancel", name = "stubborn", forwardRetries = 2)
        public void bookStubbornly(String guest) {}

        @Compensable(compensationMethod = "forget", name = "forget")
        public void remember(Node node) {}

        public void forget(Node node) {}

        @Compensable(compensationMethod = "unorder")
        public void order(Order order) {}

        public void unorder(Order order) {}

        @Compensable(compensationMethod = "unrank")
        public void rank(Set<String> guests) {}

        public void unrank(Set<String> guests) {}

        @Compensable(compensationMethod = "cancel", name = "sign")
        @SuppressWarnings("UnnecessaryStringBuilder") // That it is one is the mistake.
        public CharSequence sign(String guest) {
            return new StringBuilder(guest);
        }

        @Compensable(compensationMethod = "cancel", name = "long")
        public String print(String guest) {
            return guest.repeat(20_000);
        }

        @Compensable(compensationMethod = "cancel", name = "mail", fenced = false)
        public void mail(String guest) {
            throw new IllegalStateException("no post today");
        }

        @Compensable(compensationMethod = "cancel", name = "pay")
        public void pay(String guest) {
            throw new BankAway(new SocketTimeoutException("Read timed out"));
        }
    }

    static class BankAway extends RuntimeException {
        BankAway(Throwable cause) {
            super(cause);
        }
    }

    /** Each has not been called outside a saga before: that is said once for each. */
    static class Rentals {
        @Compensable(compensationMethod = "giveBack", name = "supplied")
        public String supply(String guest) {
            return guest;
        }

        @Compensable(compensationMethod = "giveBack", name = "pooled")
        public void pool(String guest) {}

        @Compensable(compensationMethod = "giveBack", name = "streamed")
        public void stream(String guest) {}

        @Compensable(compensationMethod = "giveBack", name = "threaded")
        public void start(String guest) {}

        @Compensable(compensationMethod = "giveBack", name = "later")
        public void later(String guest) {}

        @Compensable(compensationMethod = "giveBack", name = "served")
        public void serve(String guest) {}

        @Compensable(compensationMethod = "giveBack", name = "charged")
        public void charge(String guest) {}

        @Compensable(compensationMethod = "giveBack", name = "handed over")
        public void take(String guest) {}

        @Compensable(compensationMethod = "giveBack", name = "left")
        public void leave(String guest) {}

        @Compensable(compensationMethod = "giveBack", name = "alone")
        public void rent(String guest) {}

        @Compensable(compensationMethod = "giveBack", name = "timed")
        public void remind(String guest) {}

        @Compensable(compensationMethod = "giveBack", name = "handed")
        public void hand(String guest) {}

        @Async("dropping")
        @Compensable(compensationMethod = "giveBack", name = "dropped")
        public void perhaps(String guest) {}

        public void giveBack(String guest) {}
    }

    static class Background {
        private final Rentals rentals;

        Background(Rentals rentals) {
            this.rentals = rentals;
        }

        @Async("mine")
        public Future<Void> rent(String guest) {
            rentals.later(guest);
            return CompletableFuture.completedFuture(null);
        }
    }

    @RestController
    static class Endpoint {
        private final Rentals rentals;
        private final AtomicBoolean heard = new AtomicBoolean();

        Endpoint(Rentals rentals) {
            this.rentals = rentals;
        }

        @PostMapping("/rentals")
        void rent() {
            rentals.serve("Ada");
        }

        /** As a gateway does that has waited for too long. */
        @PostMapping("/rentals/unheard")
        ResponseEntity<Void> charge() {
            rentals.charge("Ada");
            return ResponseEntity.status(heard.getAndSet(true) ? HttpStatus.OK : HttpStatus.GATEWAY_TIMEOUT)
                    .build();
        }

        @PostMapping("/rentals/quick")
        void quick() {
            RequestAttributes request = RequestContextHolder.currentRequestAttributes();
            CompletableFuture.runAsync(() -> {
                        RequestContextHolder.setRequestAttributes(request);
                        rentals.take("Ada");
                    })
                    .join();
        }

        @ExceptionHandler(CompletionException.class)
        ResponseEntity<String> refused(CompletionException refused) {
            return ResponseEntity.internalServerError()
                    .body(Objects.requireNonNull(refused.getCause()).getMessage());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableAsync
    @Import({Trips.class, Desk.class, Rentals.class, Background.class, Endpoint.class})
    static class Application {
        @Bean
        TaxiDesk north() {
            return new TaxiDesk();
        }

        @Bean
        TaxiDesk south() {
            return new TaxiDesk();
        }

        @Bean
        ThreadPoolTaskExecutor mine() {
            return new ThreadPoolTaskExecutor();
        }

        @Bean
        ThreadPoolTaskExecutor applicationTaskExecutor(ContextPropagatingTaskDecorator decorator) {
            ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
            executor.setTaskDecorator(decorator);
            return executor;
        }

        @Bean
        ThreadPoolTaskExecutor dropping(ContextPropagatingTaskDecorator decorator) {
            ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
            executor.setTaskDecorator(decorator);
            executor.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
            return executor;
        }
    }
}
