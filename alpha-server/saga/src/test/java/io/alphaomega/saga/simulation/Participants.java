package io.alphaomega.saga.simulation;

import io.alphaomega.saga.SagaEffect;
import io.alphaomega.saga.SagaInput;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The services that take part, their instances, and the directory that finds one for a callback. */
final class Participants {
    static final List<String> BUILDS = List.of("1", "2");

    private final Deployment world;
    private final List<List<Instance>> services = new ArrayList<>();
    private int started;
    private int awayService = -1;

    Participants(Deployment world) {
        this.world = world;
        for (int service = 0; service < Plan.SERVICES.size(); service++) {
            List<Instance> instances = new ArrayList<>();
            int count = world.dice.between(1, 2);
            for (int i = 0; i < count; i++) instances.add(start(Plan.SERVICES.get(service), service));
            services.add(instances);
        }
        if (world.faults().away()) {
            int away = world.dice.between(0, Plan.SERVICES.size() - 1);
            world.time.in(world.dice.between(0, 5_000), () -> leave(away));
        }
    }

    private Instance start(String service, int number) {
        return new Instance(world, service, number, started++, world.dice.oneOf(BUILDS));
    }

    /** The call of a business method arrives at some instance of its service. */
    void call(Plan.Call call, Held.Load load, Consumer<Held.Answer> outcome) {
        List<Instance> alive = new ArrayList<>(services.get(call.service()));
        alive.removeIf(instance -> !instance.isAlive());
        if (alive.isEmpty()) outcome.accept(Held.Answer.FAILED);
        else world.dice.oneOf(alive).begin(call, load, outcome);
    }

    /** Makes happen what the rules want: asks the branch's own instance first, then any of its build, then any that may. */
    void perform(SagaEffect effect) {
        if (!(effect instanceof SagaEffect.Call call)) return;
        world.promises.asked(call);
        for (List<Instance> instances : services) {
            if (!instances.getFirst().service().equals(call.service())) continue;
            List<Instance> connected = new ArrayList<>(instances);
            connected.removeIf(instance -> !instance.isConnected());
            if (connected.isEmpty()) {
                SagaInput missed = new SagaInput.MissParticipant(call.branch(), call.kind(), call.attempt());
                world.time.in(1, () -> world.alpha.receive(missed));
                return;
            }
            // A router of an older alpha knows nothing of builds.
            boolean older = world.dice.percent(world.faults().callback() / 4);
            connected.removeIf(instance -> !older && call.unable().contains(instance.build()));
            if (connected.isEmpty()) {
                SagaInput missed = new SagaInput.MissBuild(call.branch(), call.kind(), call.attempt());
                world.time.in(1, () -> world.alpha.receive(missed));
                return;
            }
            Instance chosen = connected.stream()
                    .filter(instance -> instance.name().equals(call.instance()))
                    .findFirst()
                    .or(() -> connected.stream()
                            .filter(instance -> instance.build().equals(call.build()))
                            .findFirst())
                    .orElseGet(() -> world.dice.oneOf(connected));
            world.time.in(world.dice.between(1, 10), () -> chosen.answer(call));
            return;
        }
        throw new BrokenPromiseError("a callback went to " + call.service() + ", which is no service");
    }

    /** A process has died; another takes its place after a while. */
    void died(Instance instance) {
        List<Instance> instances = services.get(instance.number());
        instances.remove(instance);
        Instance next = start(instance.service(), instance.number());
        next.disconnect();
        instances.add(next);
        if (instance.number() == awayService) return;
        world.time.in(world.dice.between(500, 30_000), () -> connect(next));
    }

    private void leave(int service) {
        if (world.isHealed()) return;
        awayService = service;
        services.get(service).forEach(Instance::disconnect);
    }

    /** Every service is back; and a connection is announced, unless the announcement is lost. */
    void heal() {
        awayService = -1;
        services.forEach(instances -> List.copyOf(instances).forEach(this::connect));
    }

    private void connect(Instance instance) {
        if (!instance.isAlive() || instance.isConnected() || instance.number() == awayService) return;
        instance.connect();
        Set<String> builds = services.get(instance.number()).stream()
                .filter(Instance::isConnected)
                .map(Instance::build)
                .collect(Collectors.toSet());
        world.network.send(() -> world.alpha.receive(new SagaInput.ConnectService(instance.service(), builds)));
    }
}
