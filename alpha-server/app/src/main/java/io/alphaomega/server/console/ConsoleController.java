package io.alphaomega.server.console;

import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Health;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.saga.SagaId;
import io.alphaomega.server.console.Frame.Tab;
import io.alphaomega.server.coverage.CoverageReader;
import io.alphaomega.server.insight.ClusterInsight;
import io.alphaomega.server.insight.StuckFilter;
import io.alphaomega.server.node.Nodes;
import io.alphaomega.server.problem.Problems;
import io.alphaomega.server.process.Release;
import io.alphaomega.server.properties.AlphaProperties;
import io.alphaomega.server.queries.InsightReader;
import io.alphaomega.server.queries.ListRequest;
import io.alphaomega.server.queries.OrderHistory;
import io.alphaomega.server.queries.OrderReader;
import io.alphaomega.server.queries.OrderRequest;
import io.alphaomega.server.queries.SagaList;
import io.alphaomega.server.queries.SagaReader;
import io.alphaomega.server.queries.SagaView;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.server.ResponseStatusException;

/** The pages of the console. They show what the API answers, and their orders go through it. */
@Controller
class ConsoleController {
    private final Pages pages;
    private final SagaReader sagas;
    private final OrderReader orders;
    private final InsightReader insights;
    private final Nodes nodes;
    private final CoverageReader coverage;
    private final SagaRepository repository;
    private final String store;
    private final Clock clock;

    ConsoleController(
            Pages pages,
            SagaReader sagas,
            OrderReader orders,
            InsightReader insights,
            Nodes nodes,
            CoverageReader coverage,
            SagaRepository repository,
            AlphaProperties properties,
            Clock clock) {
        this.pages = pages;
        this.sagas = sagas;
        this.orders = orders;
        this.insights = insights;
        this.nodes = nodes;
        this.coverage = coverage;
        this.repository = repository;
        this.store = properties.repository().type().name().toLowerCase(Locale.ROOT);
        this.clock = clock;
    }

    /** Where a person who opens alpha's address gets to: to what is stuck, if anything is. */
    @GetMapping(path = "/", headers = "Accept=text/html")
    ResponseEntity<String> start() {
        boolean stuck = insights.read()
                .stuck()
                .filter(view -> view.count() > 0 || view.waitingCount() > 0)
                .isPresent();
        return ResponseEntity.status(HttpStatus.FOUND)
                .header(HttpHeaders.LOCATION, stuck ? Tab.STUCK.path() : Tab.OVERVIEW.path())
                .build();
    }

    @GetMapping("/overview")
    ResponseEntity<String> overview(HttpServletRequest request) {
        ClusterInsight insight = insights.read();
        String trouble = repository.check() instanceof Health.Down down ? down.reason() : "";
        boolean isNew = trouble.isEmpty() && insight.services().isEmpty() && hasNoSaga();
        OverviewPage page = new OverviewPage(
                clock.instant(), insight, nodes.all(), store, trouble, RateChart.of(insight.rates()), isNew);
        return draw(frame(request, "tab.OVERVIEW", Tab.OVERVIEW, true, insight), "overview", page);
    }

    /** As far as the store says; the page is drawn without it. */
    private boolean hasNoSaga() {
        try {
            return repository.find(SagaQuery.ALL, Cursor.START, 1).items().isEmpty();
        } catch (RepositoryUnavailableException e) {
            return false;
        }
    }

    @GetMapping("/stuck")
    ResponseEntity<String> stuck(
            HttpServletRequest request, @RequestParam Optional<String> reason, @RequestParam Optional<String> service) {
        StuckFilter filter = InsightReader.filter(reason, service, StuckFilter.LIMIT_MAX);
        ClusterInsight insight = insights.read(filter);
        return draw(
                frame(request, "tab.STUCK", Tab.STUCK, true, insight),
                "stuck",
                new StuckPage(clock.instant(), insight, filter));
    }

    @GetMapping("/sagas")
    ResponseEntity<String> sagas(HttpServletRequest request, @RequestParam MultiValueMap<String, String> asked) {
        MultiValueMap<String, String> parameters = filled(asked);
        SagaList list = new SagaList(List.of(), null);
        String refusal = "";
        Instant now = clock.instant();
        try {
            list = sagas.list(ListRequest.of(parameters, now));
        } catch (ErrorResponseException e) {
            refusal = String.valueOf(e.getBody().getDetail());
        } catch (RepositoryUnavailableException e) {
            refusal = String.valueOf(e.getMessage());
        }
        String next = next("/sagas", parameters, list.next());
        SagasPage page = new SagasPage(now, list, states(parameters), parameters.toSingleValueMap(), next, refusal);
        return draw(frame(request, "tab.SAGAS", Tab.SAGAS, false, insights.read()), "sagas", page);
    }

    /** Not live: each saga on it costs a look at its journal. */
    @GetMapping("/orders")
    ResponseEntity<String> orders(HttpServletRequest request, @RequestParam MultiValueMap<String, String> asked) {
        MultiValueMap<String, String> parameters = filled(asked);
        OrderHistory history = new OrderHistory(List.of(), null);
        String refusal = "";
        try {
            history = orders.read(OrderRequest.of(parameters, clock.instant()));
        } catch (ErrorResponseException e) {
            refusal = String.valueOf(e.getBody().getDetail());
        } catch (RepositoryUnavailableException e) {
            refusal = String.valueOf(e.getMessage());
        }
        String next = next("/orders", parameters, history.next());
        return draw(
                frame(request, "tab.ORDERS", Tab.ORDERS, false, insights.read()),
                "orders",
                new OrdersPage(history, parameters.toSingleValueMap(), next, refusal));
    }

    private static String next(String path, MultiValueMap<String, String> parameters, @Nullable String cursor) {
        if (cursor == null) return "";
        StringJoiner query = new StringJoiner("&", path + "?", "");
        parameters.forEach((name, values) -> {
            if (!name.equals("cursor")) values.forEach(value -> query.add(name + "=" + Words.query(value)));
        });
        return query.add("cursor=" + Words.query(cursor)).toString();
    }

    /** Live while it is open. */
    @GetMapping("/sagas/{id}")
    ResponseEntity<String> saga(
            HttpServletRequest request,
            @PathVariable String id,
            @RequestParam(name = "if") Optional<String> input,
            @RequestParam Optional<String> branch,
            @RequestParam Optional<String> after) {
        SagaId known = SagaReader.id(id);
        Words words = Words.of(request);
        SagaView saga = sagas.view(known, words.texts()).orElseThrow(() -> Problems.unknownSaga(id));
        boolean live = !saga.detail().row().state().isEnded();
        ClusterInsight insight = insights.read();
        Frame frame = frame(request, "saga.title", Tab.SAGAS, live, insight, Words.shortId(id));
        WhatIfForm supposed = WhatIfForm.of(
                input.orElse(""),
                branch.orElse(""),
                after.orElse(""),
                supposition -> sagas.whatIf(known, supposition, clock.instant(), words.texts()));
        return draw(frame, "saga", SagaPage.of(saga, clock.instant(), words, supposed, insight));
    }

    @GetMapping("/services")
    ResponseEntity<String> services(HttpServletRequest request) {
        ClusterInsight insight = insights.read();
        return draw(
                frame(request, "tab.SERVICES", Tab.SERVICES, true, insight),
                "services",
                new ServicesPage(clock.instant(), insight));
    }

    @GetMapping("/nodes")
    ResponseEntity<String> nodes(HttpServletRequest request) {
        ClusterInsight insight = insights.read();
        return draw(
                frame(request, "tab.NODES", Tab.NODES, true, insight),
                "nodes",
                new NodesPage(clock.instant(), nodes.all(), insight.troubles()));
    }

    /** Not live: it costs a look at many journals. */
    @GetMapping("/coverage")
    ResponseEntity<String> coverage(HttpServletRequest request) {
        ClusterInsight insight = insights.read();
        return draw(
                frame(request, "tab.COVERAGE", Tab.COVERAGE, false, insight),
                "coverage",
                new CoveragePage(clock.instant(), coverage.coverage(insight)));
    }

    @GetMapping("/docs/operating")
    ResponseEntity<String> runbook(HttpServletRequest request) {
        return runbook(request, Runbook.front());
    }

    @GetMapping("/docs/operating/{name:[a-z]+}")
    ResponseEntity<String> runbook(HttpServletRequest request, @PathVariable String name) {
        return runbook(request, Runbook.page(name));
    }

    private ResponseEntity<String> runbook(HttpServletRequest request, Optional<Runbook> page) {
        Runbook found = page.orElseThrow(() -> new ResponseStatusException(
                HttpStatus.NOT_FOUND, "There is no page '%s'.".formatted(request.getRequestURI())));
        return draw(frame(request, "tab.DOCS", Tab.DOCS, false, insights.read()), "docs", found);
    }

    /** What is amiss, which every page asks for while somebody looks at it, whether the rest of it is live or not. */
    @GetMapping("/banner")
    ResponseEntity<String> banner(HttpServletRequest request) {
        Frame frame = frame(request, "tab.OVERVIEW", Tab.OVERVIEW, false, insights.read());
        return draw(frame, "banner", "");
    }

    /** What the API would refuse with a problem, as a page. */
    @ExceptionHandler
    ResponseEntity<String> handle(HttpServletRequest request, ErrorResponseException refused) {
        return problem(
                request,
                refused.getStatusCode(),
                String.valueOf(refused.getBody().getDetail()));
    }

    @ExceptionHandler
    ResponseEntity<String> handle(HttpServletRequest request, RepositoryUnavailableException away) {
        return problem(request, HttpStatus.SERVICE_UNAVAILABLE, String.valueOf(away.getMessage()));
    }

    private ResponseEntity<String> problem(HttpServletRequest request, HttpStatusCode status, String sentence) {
        Words words = Words.of(request);
        Optional<ClusterInsight> insight = insights.readIfServing();
        Frame frame = new Frame(
                words,
                words.say("problem.title"),
                Tab.SAGAS,
                "",
                query(request),
                Frame.stuck(insight),
                insight.map(ClusterInsight::troubles).orElse(List.of()),
                Release.version());
        return pages.draw(status, "problem", frame, "sentence", sentence);
    }

    private ResponseEntity<String> draw(Frame frame, String template, Object page) {
        return pages.draw(HttpStatus.OK, template, frame, "page", page);
    }

    /** @param title the key of it, followed by its arguments after {@code insight} */
    private static Frame frame(
            HttpServletRequest request,
            String title,
            Tab tab,
            boolean live,
            ClusterInsight insight,
            Object... arguments) {
        Words words = Words.of(request);
        String query = query(request);
        String url = request.getRequestURI() + (query.isEmpty() ? "" : "?" + query);
        return new Frame(
                words,
                words.say(title, arguments),
                tab,
                live ? url : "",
                query,
                Frame.stuck(Optional.of(insight)),
                insight.troubles(),
                Release.version());
    }

    /** Without the language, which is a choice for all pages, and once. */
    private static String query(HttpServletRequest request) {
        String query = Objects.requireNonNullElse(request.getQueryString(), "");
        return Arrays.stream(query.split("&"))
                .filter(each -> !each.startsWith(LanguageConfiguration.PARAMETER + "="))
                .collect(Collectors.joining("&"));
    }

    /** A form sends also what nobody has filled in. */
    private static MultiValueMap<String, String> filled(MultiValueMap<String, String> parameters) {
        MultiValueMap<String, String> filled = new LinkedMultiValueMap<>();
        parameters.forEach((name, values) ->
                values.stream().filter(value -> !value.isBlank()).forEach(value -> filled.add(name, value.strip())));
        filled.remove(LanguageConfiguration.PARAMETER);
        return filled;
    }

    private static Set<State> states(MultiValueMap<String, String> parameters) {
        Set<State> states = EnumSet.noneOf(State.class);
        for (String name : parameters.getOrDefault("state", List.of())) {
            Arrays.stream(State.values())
                    .filter(state -> state.name().equals(name))
                    .forEach(states::add);
        }
        return states;
    }
}
