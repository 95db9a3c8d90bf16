package io.alphaomega.omega.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.omega.context.PendingReports;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.spring.autoconfigure.Boot;
import io.alphaomega.omega.spring.autoconfigure.OmegaAutoConfiguration;
import io.alphaomega.omega.spring.autoconfigure.OmegaWebAutoConfiguration;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.RegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotationAwareOrderComparator;
import org.springframework.http.HttpEntity;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpRequest;
import org.springframework.http.HttpStatus;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.mock.http.client.MockClientHttpRequest;
import org.springframework.mock.http.client.MockClientHttpResponse;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.filter.OncePerRequestFilter;

/** A service that copies every header that it was called with to what it calls, in each way that people do that. */
class HeaderCopyingTest {
    private static final int SAGAS = 10_000;
    private static final String OPERATION = "Desk.book";

    /** Headers as the copying service sees them: in its servlet, and in a filter as far out as it can get. */
    private static final ThreadLocal<HttpHeaders> INSIDE = new ThreadLocal<>();

    private static final ThreadLocal<HttpHeaders> OUTSIDE = new ThreadLocal<>();

    private final Map<String, Runnable> services = new HashMap<>();
    private List<Filter> filters = List.of();

    /** Effects of the last service by their branch: the fence lets each branch run once. */
    private final Map<String, Integer> effects = new HashMap<>();

    /** Whether the last service was told a branch that is not its caller's. */
    private int strangeParents;

    private interface Caller {
        void call(URI uri);
    }

    @Test
    void of_ten_thousand_sagas_over_three_hops_no_effect_is_lost() {
        new WebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        AopAutoConfiguration.class,
                        BootUnderTest.JACKSON,
                        OmegaAutoConfiguration.class,
                        OmegaWebAutoConfiguration.class))
                .withPropertyValues("spring.application.name=copying")
                .run(this::run);
    }

    private void run(ApplicationContext context) {
        filters = filters(context);
        List<Caller> ways = ways(context);
        services.put("/c", () -> {
            SagaContext current = SagaContext.current().orElseThrow();
            if (!current.branch().equals("b")) strangeParents++;
            effects.merge(current.saga() + current.nextBranch(OPERATION), 1, Integer::sum);
        });
        int[] way = new int[1];
        services.put("/b", () -> {
            SagaContext branch = SagaContext.current().orElseThrow().within("b");
            SagaContext.Scope scope = branch.open();
            try {
                for (int i = 0; i < 2; i++) ways.get(way[0]).call(URI.create("http://c/c"));
            } finally {
                scope.close();
            }
        });
        RestClient a = restClient(context).build();
        for (int i = 0; i < SAGAS; i++) {
            way[0] = i % ways.size();
            SagaContext.Scope scope = SagaContext.begun("saga-" + i, 0, "", PendingReports.nothing("saga-" + i))
                    .open();
            try {
                a.get().uri("http://b/b").retrieve().toBodilessEntity();
            } finally {
                scope.close();
            }
        }
        assertThat(effects).as("the effects that took place").hasSize(2 * SAGAS);
        assertThat(strangeParents).as("branches that name another parent").isZero();
    }

    private List<Caller> ways(ApplicationContext context) {
        RestClient plain = restClient(context).build();
        RestClient copyingInside =
                restClient(context).requestInterceptor(new Copying(INSIDE::get)).build();
        RestClient copyingOutside = restClient(context)
                .requestInterceptor(new Copying(OUTSIDE::get))
                .build();
        RestTemplate template = template(context);
        RestTemplate templateInside = template(context);
        templateInside.getInterceptors().add(new Copying(INSIDE::get));
        RestTemplate templateOutside = template(context);
        templateOutside.getInterceptors().add(new Copying(OUTSIDE::get));
        List<Caller> ways = new ArrayList<>();
        for (Supplier<HttpHeaders> seen : List.<Supplier<HttpHeaders>>of(INSIDE::get, OUTSIDE::get)) {
            ways.add(uri -> plain.get()
                    .uri(uri)
                    .headers(headers -> headers.putAll(seen.get()))
                    .retrieve()
                    .toBodilessEntity());
            ways.add(uri -> template.exchange(uri, HttpMethod.GET, new HttpEntity<>(seen.get()), Void.class));
        }
        ways.add(uri -> copyingInside.get().uri(uri).retrieve().toBodilessEntity());
        ways.add(uri -> copyingOutside.get().uri(uri).retrieve().toBodilessEntity());
        ways.add(uri -> templateInside.exchange(uri, HttpMethod.GET, null, Void.class));
        ways.add(uri -> templateOutside.exchange(uri, HttpMethod.GET, null, Void.class));
        return ways;
    }

    private record Copying(Supplier<HttpHeaders> seen) implements ClientHttpRequestInterceptor {
        @Override
        public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
                throws IOException {
            request.getHeaders().putAll(seen.get());
            return execution.execute(request, body);
        }
    }

    /** As Spring Boot makes them. */
    private RestClient.Builder restClient(ApplicationContext context) {
        RestClient.Builder builder = RestClient.builder().requestFactory(network());
        context.getBeansOfType(Boot.Clients.class).values().forEach(each -> each.customize(builder));
        return builder;
    }

    private RestTemplate template(ApplicationContext context) {
        RestTemplate template = new RestTemplate(network());
        context.getBeansOfType(Boot.Templates.class).values().forEach(each -> each.customize(template));
        return template;
    }

    /** As Spring Boot orders them, with one of the service's own as far out as it can. */
    private static List<Filter> filters(ApplicationContext context) {
        FilterRegistrationBean<Filter> own = new FilterRegistrationBean<>(seeing(OUTSIDE));
        own.setOrder(Ordered.HIGHEST_PRECEDENCE);
        List<RegistrationBean> registered = new ArrayList<>(List.of(own));
        registered.addAll(context.getBeansOfType(RegistrationBean.class).values());
        AnnotationAwareOrderComparator.sort(registered);
        List<Filter> filters = new ArrayList<>();
        registered.forEach(each -> filters.add(((FilterRegistrationBean<?>) each).getFilter()));
        filters.add(seeing(INSIDE));
        return filters;
    }

    private static Filter seeing(ThreadLocal<HttpHeaders> seen) {
        return new OncePerRequestFilter() {
            @Override
            protected String getAlreadyFilteredAttributeName() {
                return String.valueOf(System.identityHashCode(this));
            }

            @Override
            protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                    throws ServletException, IOException {
                HttpHeaders headers = new HttpHeaders();
                for (String name : Collections.list(request.getHeaderNames())) {
                    headers.put(name, Collections.list(request.getHeaders(name)));
                }
                HttpHeaders before = seen.get();
                seen.set(headers);
                try {
                    chain.doFilter(request, response);
                } finally {
                    seen.set(before);
                }
            }
        };
    }

    /** What stands in front of a service from that filter on, and the service behind it. */
    private FilterChain chain(int from, Runnable service) {
        return (request, response) -> {
            if (from == filters.size()) service.run();
            else filters.get(from).doFilter(request, response, chain(from + 1, service));
        };
    }

    /** Carries a request into the service that its path names, through that service's filters. */
    private ClientHttpRequestFactory network() {
        return (uri, method) -> new MockClientHttpRequest(method, uri) {
            @Override
            protected ClientHttpResponse executeInternal() throws IOException {
                MockHttpServletRequest request = new MockHttpServletRequest(method.name(), uri.getPath());
                getHeaders().forEach((name, values) -> values.forEach(value -> request.addHeader(name, value)));
                try {
                    chain(0, Objects.requireNonNull(services.get(uri.getPath())))
                            .doFilter(request, new MockHttpServletResponse());
                } catch (ServletException e) {
                    throw new IOException(e);
                }
                return new MockClientHttpResponse(new byte[0], HttpStatus.OK);
            }
        };
    }
}
