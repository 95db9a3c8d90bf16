package io.alphaomega.omega.transport;

import static io.alphaomega.omega.test.OmegaAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.alphaomega.omega.Omega;
import io.alphaomega.omega.context.SagaHeaders;
import io.alphaomega.omega.test.OmegaTest;
import io.alphaomega.omega.test.TestAlpha;
import io.grpc.BindableService;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.grpc.client.GrpcChannelFactory;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;

/** Sagas over gRPC by Spring gRPC, and by a real socket. */
@SpringBootTest(classes = CalledShop.class, webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
@OmegaTest
@ExtendWith(OutputCaptureExtension.class)
class GrpcTest {
    private static final MethodDescriptor<String, String> TAKE = MethodDescriptor.<String, String>newBuilder(
                    new Text(), new Text())
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName("shop.Stock/Take")
            .build();

    @Autowired
    private GrpcChannelFactory channels;

    @Autowired
    private Orders orders;

    @Autowired
    private Stock stock;

    @Autowired
    private Omega omega;

    @Autowired
    private TestAlpha alpha;

    @Autowired
    private GrpcServerLifecycle server;

    private final String item = UUID.randomUUID().toString();
    private Channel channel;

    /** As a client knows it that has never heard of omega. */
    private ManagedChannel plain;

    static class StockService implements BindableService {
        private final Stock stock;
        private final Omega omega;

        StockService(Stock stock, Omega omega) {
            this.stock = stock;
            this.omega = omega;
        }

        @Override
        public ServerServiceDefinition bindService() {
            return ServerServiceDefinition.builder("shop.Stock")
                    .addMethod(TAKE, ServerCalls.asyncUnaryCall(this::take))
                    .build();
        }

        private void take(String wanted, StreamObserver<String> answer) {
            stock.take(wanted);
            if (wanted.startsWith("broken")) throw Status.DATA_LOSS.asRuntimeException();
            answer.onNext(omega.sagaId().orElse("none"));
            answer.onCompleted();
        }
    }

    @BeforeEach
    void connect() {
        channel = channels.createChannel("static://127.0.0.1:" + server.getPort());
        plain = ManagedChannelBuilder.forAddress("127.0.0.1", server.getPort())
                .usePlaintext()
                .build();
    }

    @AfterEach
    void disconnect() {
        plain.shutdownNow();
    }

    @Test
    void a_call_takes_the_saga_along_and_its_trailers_bring_the_reports() {
        orders.run(() -> {
            assertThat(take(channel, item)).isEqualTo(omega.sagaId().orElseThrow());
            assertThat(alpha.saga().history())
                    .as("nobody has told alpha yet what the trailers have brought")
                    .contains("Stock.take began")
                    .doesNotContain("Stock.take ended");
        });
        assertThat(alpha.saga()).committed().history().contains("Stock.take ended");
        assertThat(stock.taken(item)).isOne();
    }

    @Test
    void the_server_of_a_call_that_fails_reports_by_itself() {
        orders.run(() -> {
            assertThatThrownBy(() -> take(channel, "broken " + item)).isInstanceOf(StatusRuntimeException.class);
            assertThat(alpha.saga().history()).contains("Stock.take began");
        });
        assertThat(alpha.saga()).committed();
    }

    @Test
    void a_call_that_is_made_again_after_it_has_failed_is_another_branch_and_is_warned_of(CapturedOutput output) {
        orders.run(() -> {
            for (int times = 0; times < 2; times++) {
                assertThatThrownBy(() -> take(channel, "broken " + item)).isInstanceOf(StatusRuntimeException.class);
            }
        });
        assertThat(stock.taken("broken " + item)).isEqualTo(2);
        assertThat(output).contains("Stock.take has begun twice in one saga with the same arguments");
    }

    @Test
    void a_call_that_is_sent_again_is_the_same_branch() {
        Metadata headers = new Metadata();
        headers.put(key(SagaHeaders.SAGA), "saga-1");
        headers.put(key(SagaHeaders.CALL), "call-1");
        Channel other = ClientInterceptors.intercept(plain, MetadataUtils.newAttachHeadersInterceptor(headers));
        assertThat(take(other, item)).isEqualTo("saga-1");
        assertThat(take(other, item)).isEqualTo("saga-1");
        assertThat(stock.taken(item)).isOne();
    }

    @Test
    void a_call_that_names_no_saga_is_served_outside_of_sagas() {
        assertThat(take(channel, item)).isEqualTo("none");
        assertThat(alpha.sagas()).isEmpty();
    }

    @Test
    void malformed_metadata_are_refused_with_a_sentence() {
        Metadata headers = new Metadata();
        headers.put(key(SagaHeaders.SAGA), "sa ga");
        Channel other = ClientInterceptors.intercept(plain, MetadataUtils.newAttachHeadersInterceptor(headers));
        assertThatThrownBy(() -> take(other, item))
                .hasMessageContaining("INVALID_ARGUMENT")
                .hasMessageContaining("Header " + SagaHeaders.SAGA + " must be 1 to 64 characters");
        assertThat(stock.taken(item)).isZero();
    }

    static String take(Channel channel, String item) {
        return ClientCalls.blockingUnaryCall(channel, TAKE, CallOptions.DEFAULT, item);
    }

    private static Metadata.Key<String> key(String name) {
        return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    }

    private record Text() implements MethodDescriptor.Marshaller<String> {
        @Override
        public InputStream stream(String value) {
            return new ByteArrayInputStream(value.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public String parse(InputStream stream) {
            try {
                return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
