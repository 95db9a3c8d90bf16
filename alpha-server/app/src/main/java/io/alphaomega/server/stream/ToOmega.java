package io.alphaomega.server.stream;

import io.alphaomega.protocol.v1.AlphaGrpc;
import io.alphaomega.protocol.v1.FromAlpha;
import io.alphaomega.protocol.v1.FromOmega;
import io.alphaomega.server.wire.AckBuffer;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ServerCalls;
import java.io.InputStream;

/** One message to an omega: as protobuf's classes have it or, for answers, already as bytes. */
sealed interface ToOmega {

    record Said(FromAlpha message) implements ToOmega {}

    record Answered(AckBuffer.Message acks) implements ToOmega {}

    /** {@code alpha.v1.Alpha}, for callers no other than what is generated. */
    static ServerServiceDefinition service(ServerCalls.BidiStreamingMethod<FromOmega, ToOmega> connect) {
        MethodDescriptor<FromOmega, FromAlpha> generated = AlphaGrpc.getConnectMethod();
        MethodDescriptor<FromOmega, ToOmega> method = generated.toBuilder(
                        generated.getRequestMarshaller(), new Encoding())
                .build();
        ServiceDescriptor service = ServiceDescriptor.newBuilder(AlphaGrpc.SERVICE_NAME)
                .setSchemaDescriptor(AlphaGrpc.getServiceDescriptor().getSchemaDescriptor())
                .addMethod(method)
                .build();
        return ServerServiceDefinition.builder(service)
                .addMethod(method, ServerCalls.asyncBidiStreamingCall(connect))
                .build();
    }

    /** Writes; a server does not read what it says. */
    final class Encoding implements MethodDescriptor.Marshaller<ToOmega> {
        private static final MethodDescriptor.Marshaller<FromAlpha> MESSAGES =
                ProtoUtils.marshaller(FromAlpha.getDefaultInstance());

        @Override
        public InputStream stream(ToOmega value) {
            return switch (value) {
                case Said(FromAlpha message) -> MESSAGES.stream(message);
                case Answered(AckBuffer.Message acks) -> acks;
            };
        }

        @Override
        public ToOmega parse(InputStream bytes) {
            return new Said(MESSAGES.parse(bytes));
        }
    }
}
