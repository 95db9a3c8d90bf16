package io.alphaomega.samples.minimal;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** A service with one path. When it is ready, it prints what it has taken until then. */
@SpringBootApplication
@RestController
public class MinimalApplication {
    private final Greetings greetings;

    MinimalApplication(Greetings greetings) {
        this.greetings = greetings;
    }

    public static void main(String[] args) {
        SpringApplication.run(MinimalApplication.class, args);
    }

    @GetMapping("/greetings/{guest}")
    String greet(@PathVariable String guest) {
        return greetings.greet(guest);
    }

    @EventListener(ApplicationReadyEvent.class)
    void ready() {
        OperatingSystemMXBean process = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        System.out.printf(
                "ready: %d ms, %d ns of processor time, %d classes%n",
                ManagementFactory.getRuntimeMXBean().getUptime(),
                process.getProcessCpuTime(),
                ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount());
    }
}
