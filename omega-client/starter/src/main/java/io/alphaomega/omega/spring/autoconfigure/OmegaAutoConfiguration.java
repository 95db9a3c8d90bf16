package io.alphaomega.omega.spring.autoconfigure;

import io.alphaomega.omega.AlphaConnectionDetails;
import io.alphaomega.omega.CallbackInterceptor;
import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.Omega;
import io.alphaomega.omega.PayloadCodec;
import io.alphaomega.omega.SagaEnd;
import io.alphaomega.omega.SagaStart;
import io.alphaomega.omega.SagaTemplate;
import io.alphaomega.omega.context.SagaCarrier;
import io.alphaomega.omega.spring.advice.AdviceOrder;
import io.alphaomega.omega.spring.advice.BranchInterceptor;
import io.alphaomega.omega.spring.advice.FencedExecutionInterceptor;
import io.alphaomega.omega.spring.advice.OutsideCalls;
import io.alphaomega.omega.spring.advice.SagaInterceptor;
import io.alphaomega.omega.spring.callback.CallbackRunner;
import io.alphaomega.omega.spring.config.IntendedClients;
import io.alphaomega.omega.spring.config.OmegaProperties;
import io.alphaomega.omega.spring.config.ServiceName;
import io.alphaomega.omega.spring.definition.AnnotationReader;
import io.alphaomega.omega.spring.definition.LateSingletons;
import io.alphaomega.omega.spring.definition.OfferedCallbacks;
import io.alphaomega.omega.spring.definition.OmegaDefinitions;
import io.alphaomega.omega.spring.definition.RetentionCheck;
import io.alphaomega.omega.spring.definition.SagaStarts;
import io.alphaomega.omega.spring.execution.BranchRunner;
import io.alphaomega.omega.spring.execution.CallbackInterceptors;
import io.alphaomega.omega.spring.execution.NestedSagas;
import io.alphaomega.omega.spring.execution.RemoteFailures;
import io.alphaomega.omega.spring.execution.SagaRunner;
import io.alphaomega.omega.spring.fencing.FencedExecution;
import io.alphaomega.omega.spring.fencing.Fences;
import io.alphaomega.omega.spring.fencing.LocalFence;
import io.alphaomega.omega.spring.fencing.ReactiveLocalFence;
import io.alphaomega.omega.spring.fencing.RedisFences;
import io.alphaomega.omega.spring.fencing.RememberedMarks;
import io.alphaomega.omega.spring.observe.Observations;
import io.alphaomega.omega.spring.observe.OmegaMetrics;
import io.alphaomega.omega.spring.payload.EncryptedPayloads;
import io.alphaomega.omega.spring.payload.Payloads;
import io.alphaomega.omega.spring.payload.StrictJson;
import io.alphaomega.omega.spring.reporting.BranchReports;
import io.alphaomega.omega.spring.reporting.HeldReports;
import io.alphaomega.omega.spring.reporting.SagaBegins;
import io.alphaomega.omega.spring.reporting.SagaEvents;
import io.alphaomega.omega.spring.reporting.SagaIds;
import io.alphaomega.omega.spring.reporting.SagaReports;
import io.alphaomega.omega.spring.startup.AnnotatedBeans;
import io.alphaomega.omega.spring.startup.ChildContexts;
import io.alphaomega.omega.spring.startup.ServiceBuild;
import io.alphaomega.omega.spring.template.CompensationHandlers;
import io.alphaomega.omega.spring.template.DefaultOmega;
import io.alphaomega.omega.spring.template.DefaultSagaTemplate;
import io.alphaomega.omega.spring.template.TemplateBranch;
import io.alphaomega.omega.stream.AlphaChannels;
import io.alphaomega.omega.stream.AlphaClient;
import io.alphaomega.omega.stream.AlphaClientSettings;
import io.alphaomega.omega.stream.AlphaService;
import io.alphaomega.protocol.v1.Hello;
import java.lang.annotation.Annotation;
import java.time.Clock;
import java.util.UUID;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.aopalliance.aop.Advice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.Advisor;
import org.springframework.aop.Pointcut;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.support.ComposablePointcut;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.info.BuildProperties;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Fallback;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.core.task.support.ContextPropagatingTaskDecorator;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.function.SingletonSupplier;

/**
 * Omega in a Spring Boot application. After the transactions' auto-configuration: of advice of the same order, what is
 * registered later stands further in, and the fence must stand inside the transaction. Here as elsewhere the names are
 * those of Boot 4 first, then those of Boot 3.
 *
 * <p>All of omega's configurations have the lowest precedence. Some of Spring Boot's rely on their order alone to come
 * after others, as the transaction manager of R2DBC does; one that omega names is sorted before omega, and would be before
 * those others if omega came early.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.autoconfigure.transaction.TransactionAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration"
        })
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnBooleanProperty(name = "omega.enabled", matchIfMissing = true)
@EnableConfigurationProperties(OmegaProperties.class)
@Import(OmegaAutoConfiguration.Proxies.class)
public class OmegaAutoConfiguration {
    private static final Logger log = LoggerFactory.getLogger(OmegaAutoConfiguration.class);

    /** Proxies of beans with advice of Spring's own role, which a service without AspectJ and transactions may not have. */
    static final class Proxies implements ImportBeanDefinitionRegistrar {
        @Override
        public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
            AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
        }
    }

    // ---- what stands around annotated methods: made before all other beans, so it looks up the rest when called

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static OmegaDefinitions omegaDefinitions(ConfigurableListableBeanFactory beans, OfferedCallbacks callbacks) {
        return new OmegaDefinitions(
                new AnnotationReader(new EmbeddedValueResolver(beans)), callbacks, new LateSingletons(beans));
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static OfferedCallbacks omegaCallbacks() {
        return new OfferedCallbacks();
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static AnnotatedBeans omegaAnnotatedBeans(
            ConfigurableListableBeanFactory beans,
            OmegaDefinitions definitions,
            OfferedCallbacks callbacks,
            ObjectProvider<FencedExecution> localWork,
            ObjectProvider<Payloads> payloads,
            ObjectProvider<OmegaProperties> properties,
            ObjectProvider<RetentionCheck> retention) {
        return new AnnotatedBeans(
                beans,
                definitions,
                callbacks,
                localWork::getObject,
                payloads::getObject,
                properties::getObject,
                retention::getObject);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static RejectedTasks omegaRejectedTasks() {
        return new RejectedTasks();
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static ChildContexts omegaChildContexts() {
        return new ChildContexts();
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static SagaRunner omegaSagaRunner(
            ObjectProvider<SagaBegins> begins,
            ObjectProvider<SagaReports> reports,
            ObjectProvider<NestedSagas> nested,
            ObjectProvider<Observations> observations) {
        return new SagaRunner(
                begins::getObject,
                reports::getObject,
                nested::getObject,
                SingletonSupplier.of(() -> orNone(observations)));
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static Advisor omegaSagaAdvisor(OmegaDefinitions definitions, SagaRunner runner) {
        Pointcut pointcut = new ComposablePointcut(annotated(SagaStart.class))
                .union(annotated(SagaEnd.class))
                .union(SagaStarts.ofTypes());
        return advisor(pointcut, new SagaInterceptor(definitions, runner), AdviceOrder.SAGA);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static BranchRunner omegaBranchRunner(
            ObjectProvider<BranchReports> reports,
            ObjectProvider<SagaReports> sagas,
            ObjectProvider<Payloads> payloads,
            ObjectProvider<CallbackInterceptors> interceptors,
            ObjectProvider<FencedExecution> localWork,
            ObjectProvider<RemoteFailures> remoteFailures,
            ObjectProvider<Observations> observations) {
        Supplier<Observations> observing = SingletonSupplier.of(() -> orNone(observations));
        return new BranchRunner(() -> new BranchRunner.Participation(
                reports.getObject(),
                sagas.getObject(),
                payloads.getObject(),
                interceptors.getObject(),
                localWork.getObject(),
                remoteFailures.getObject(),
                observing.get()));
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static Advisor omegaBranchAdvisor(
            OmegaDefinitions definitions, BranchRunner runner, ObjectProvider<OutsideCalls> outside) {
        BranchInterceptor interceptor = new BranchInterceptor(definitions, runner, outside::getObject);
        return advisor(annotated(Compensable.class), interceptor, AdviceOrder.BRANCH);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static Advisor omegaLocalWorkAdvisor(ObjectProvider<FencedExecution> localWork) {
        return advisor(
                annotated(Compensable.class),
                new FencedExecutionInterceptor(localWork::getObject),
                AdviceOrder.LOCAL_WORK);
    }

    private static Observations orNone(ObjectProvider<Observations> observations) {
        return observations.getIfAvailable(() -> Observations.NONE);
    }

    private static Pointcut annotated(Class<? extends Annotation> annotation) {
        return new AnnotationMatchingPointcut(null, annotation, true);
    }

    private static Advisor advisor(Pointcut pointcut, Advice advice, int order) {
        DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(pointcut, advice);
        advisor.setOrder(order);
        return advisor;
    }

    // ---- the rest

    @Bean
    Payloads omegaPayloads(ObjectProvider<PayloadCodec> codec, OmegaProperties properties) {
        PayloadCodec plain = codec.getIfAvailable(StrictJson::new);
        return new Payloads(
                EncryptedPayloads.around(plain, properties.payload().encryption()),
                properties.payload().readBack() == OmegaProperties.Payload.ReadBack.ALWAYS);
    }

    @Bean
    CompensationHandlers omegaCompensationHandlers(
            ConfigurableListableBeanFactory beans,
            OfferedCallbacks callbacks,
            ObjectProvider<Payloads> payloads,
            ObjectProvider<FencedExecution> localWork) {
        return new CompensationHandlers(beans, callbacks, payloads::getObject, localWork::getObject);
    }

    /** Looked up when called: one of them may need a bean that needs omega. */
    @Bean
    CallbackInterceptors omegaCallbackInterceptors(ObjectProvider<CallbackInterceptor> interceptors) {
        return new CallbackInterceptors(
                SingletonSupplier.of(() -> interceptors.orderedStream().toList()));
    }

    @Bean
    OutsideCalls omegaOutsideCalls(OmegaProperties properties, ObjectProvider<OmegaMetrics> tally) {
        return new OutsideCalls(properties.compensable().outside(), tally.getIfAvailable(() -> OmegaMetrics.NONE));
    }

    @Bean
    RemoteFailures omegaRemoteFailures(ObjectProvider<OmegaMetrics> tally) {
        return new RemoteFailures(tally.getIfAvailable(() -> OmegaMetrics.NONE));
    }

    @Bean
    FencedExecution omegaLocalWork(
            Payloads payloads,
            ObjectProvider<Fences<LocalFence>> fences,
            ObjectProvider<Fences<ReactiveLocalFence>> reactiveFences,
            ObjectProvider<RedisFences> redisFences,
            ObjectProvider<DataSource> dataSources,
            OmegaProperties properties) {
        Fences<LocalFence> found = fences.getIfAvailable();
        if ((found == null || found.lackStandard())
                && properties.fence().enabled()
                && dataSources.stream().findAny().isPresent()) {
            log.warn("Branches that name no fence are not fenced: this service has a DataSource, but no transaction"
                    + " manager of one.");
        }
        return new FencedExecution(
                payloads,
                found,
                reactiveFences.getIfAvailable(),
                redisFences.getIfAvailable(),
                properties.fence().enabled());
    }

    @Bean
    CallbackRunner omegaCallbackRunner(
            OfferedCallbacks callbacks,
            BeanFactory beans,
            Payloads payloads,
            CallbackInterceptors interceptors,
            FencedExecution localWork,
            ObjectProvider<OmegaMetrics> tally,
            ObjectProvider<Observations> observations) {
        return new CallbackRunner(
                callbacks,
                beans,
                payloads,
                interceptors,
                localWork,
                tally.getIfAvailable(() -> OmegaMetrics.NONE),
                orNone(observations));
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    AlphaClient alphaClient(
            OmegaProperties properties,
            CallbackRunner callbackRunner,
            OfferedCallbacks callbacks,
            Environment environment,
            ObjectProvider<AlphaConnectionDetails> details,
            ObjectProvider<SslBundles> bundles,
            ObjectProvider<AlphaService> registered,
            ObjectProvider<AlphaChannels> channels,
            ObjectProvider<BuildProperties> built) {
        String service = ServiceName.required(environment);
        String instance = UUID.randomUUID().toString();
        String version = OmegaAutoConfiguration.class.getPackage().getImplementationVersion();
        ServiceBuild build = ServiceBuild.of(
                properties.build(),
                built.getIfAvailable(),
                environment.getProperty("spring.application.version"),
                callbacks,
                properties.payload().encryption().keys().keySet());
        Supplier<Hello> hello = () -> Hello.newBuilder()
                .setService(service)
                .setInstance(instance)
                .setVersion(version == null ? "development" : version)
                .setBuild(build.name())
                .setAnswersInquiries(true)
                .addAllCallbacks(callbacks.names())
                .build();
        AlphaConnectionDetails where = details.getIfAvailable(() -> properties.alpha()::addresses);
        AlphaClientSettings settings = properties
                .clientSettings(where.addresses())
                .withTls(AlphaSsl.of(properties.alpha().ssl(), details.getIfAvailable(), bundles));
        AlphaChannels instead = channels.getIfAvailable();
        String serviceId = properties.alpha().serviceId();
        if (!serviceId.isBlank() && details.getIfAvailable() == null) {
            AlphaService alphas = RegisteredAlphas.required(serviceId, environment, registered);
            return new AlphaClient(settings, hello, callbackRunner, instead, alphas);
        }
        return instead == null
                ? new AlphaClient(settings, hello, callbackRunner)
                : new AlphaClient(settings, hello, callbackRunner, instead);
    }

    @Bean
    AlphaLifecycle alphaLifecycle(
            AlphaClient alpha,
            HeldReports held,
            BranchReports reports,
            OmegaProperties properties,
            ObjectProvider<Fences<?>> fences) {
        RememberedMarks marks = new RememberedMarks(alpha, fences);
        return new AlphaLifecycle(alpha, held, reports, marks, properties.drainTimeout());
    }

    @Bean(destroyMethod = "close")
    HeldReports omegaHeldReports(AlphaClient alpha, OmegaProperties properties) {
        return new HeldReports(alpha, properties);
    }

    @Bean
    SagaBegins omegaSagaBegins(AlphaClient alpha, OmegaProperties properties, HeldReports held) {
        return new SagaBegins(alpha, properties, new SagaIds(Clock.systemUTC()), held);
    }

    @Bean
    SagaReports omegaSagaReports(
            AlphaClient alpha,
            OmegaProperties properties,
            ObjectProvider<OmegaMetrics> tally,
            ApplicationEventPublisher publisher) {
        return new SagaReports(
                alpha, properties, tally.getIfAvailable(() -> OmegaMetrics.NONE), new SagaEvents(publisher));
    }

    @Bean
    static IntendedClients omegaIntendedClients(ConfigurableListableBeanFactory beans, OmegaProperties properties) {
        return new IntendedClients(beans, properties);
    }

    @Bean
    BranchReports omegaBranchReports(
            AlphaClient alpha,
            OmegaProperties properties,
            FencedExecution localWork,
            ObjectProvider<OmegaMetrics> tally) {
        return new BranchReports(alpha, properties, localWork, tally.getIfAvailable(() -> OmegaMetrics.NONE));
    }

    @Bean
    NestedSagas omegaNestedSagas(
            AlphaClient alpha,
            OmegaProperties properties,
            SagaBegins begins,
            BranchReports branches,
            RetentionCheck retention) {
        return new NestedSagas(alpha, properties, begins, branches, retention);
    }

    @Bean
    RetentionCheck omegaRetentionCheck(OmegaProperties properties) {
        return new RetentionCheck(
                properties.fence().retention(), properties.saga().timeout());
    }

    @Bean
    @ConditionalOnMissingBean
    Omega omega(SagaReports reports) {
        return new DefaultOmega(reports::abort);
    }

    @Bean
    @ConditionalOnMissingBean
    SagaTemplate sagaTemplate(
            SagaRunner runner,
            BranchRunner branches,
            SagaReports reports,
            Omega omega,
            CompensationHandlers handlers,
            FencedExecution localWork,
            OutsideCalls outside,
            RetentionCheck retention,
            OmegaProperties properties) {
        TemplateBranch.Surroundings around =
                new TemplateBranch.Surroundings(branches, handlers, localWork, outside, retention);
        return new DefaultSagaTemplate(runner, reports, omega, around, properties);
    }

    @Bean
    @ConditionalOnMissingBean
    SagaCarrier sagaCarrier(OmegaProperties properties, HeldReports held) {
        return new SagaCarrier(properties.saga().timeout(), held);
    }

    /**
     * Carries the saga, and whatever else is registered for it, to the threads of {@code @Async} and of executors. A service
     * that injects a decorator of its own by type still gets that.
     */
    @Bean
    @Fallback
    @ConditionalOnMissingBean
    ContextPropagatingTaskDecorator contextPropagatingTaskDecorator() {
        return new ContextPropagatingTaskDecorator();
    }
}
