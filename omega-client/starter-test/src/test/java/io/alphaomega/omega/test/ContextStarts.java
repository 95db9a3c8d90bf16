package io.alphaomega.omega.test;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.test.annotation.DirtiesContext.HierarchyMode;
import org.springframework.test.context.TestContextManager;

/** Starts the context of a test several times, and prints what each start took: a process of {@code scripts/starter-cost test}. */
final class ContextStarts {
    private static final int STARTS = 3;

    @SpringBootTest(classes = Travel.class, webEnvironment = WebEnvironment.NONE)
    @OmegaTest
    static class WithAlpha {}

    @SpringBootTest(classes = Travel.class, webEnvironment = WebEnvironment.NONE, properties = "omega.enabled=false")
    static class WithoutOmega {}

    private ContextStarts() {}

    /**
     * Prints a line for each start.
     *
     * @param args {@code with} or {@code without}
     */
    public static void main(String[] args) throws Exception {
        OperatingSystemMXBean process = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        Object test = args[0].equals("with") ? new WithAlpha() : new WithoutOmega();
        for (int start = 0; start < STARTS; start++) {
            TestContextManager manager = new TestContextManager(test.getClass());
            long began = System.nanoTime();
            long cpu = process.getProcessCpuTime();
            manager.prepareTestInstance(test);
            System.out.printf(
                    "start: %d ns, %d ns of processor time%n",
                    System.nanoTime() - began, process.getProcessCpuTime() - cpu);
            manager.getTestContext().markApplicationContextDirty(HierarchyMode.EXHAUSTIVE);
        }
        System.exit(0); // Whatever threads the service has left.
    }
}
