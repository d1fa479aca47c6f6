package library.beans;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.RuntimeMXBean;

/** What management beans tell about the machine that any machine tells alike. */
public class Main {
    public static void main(String[] args) {
        RuntimeMXBean runtime = ManagementFactory.getRuntimeMXBean();
        System.out.println(runtime.getSpecName());
        System.out.println(runtime.getUptime() >= 0);
        System.out.println(runtime.getSystemProperties().containsKey("java.version"));
        System.out.println(runtime.getPid() > 0);
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        System.out.println(memory.getHeapMemoryUsage().getUsed() >= 0);
        System.out.println(memory.getHeapMemoryUsage().getMax() > 0);
        System.out.println(ManagementFactory.getThreadMXBean().getThreadCount() > 0);
        System.out.println(ManagementFactory.getClassLoadingMXBean().getLoadedClassCount() > 0);
        System.out.println(ManagementFactory.getOperatingSystemMXBean().getAvailableProcessors() > 0);
        System.out.println(ManagementFactory.getPlatformMBeanServer().getDefaultDomain());
        System.out.println(ManagementFactory.RUNTIME_MXBEAN_NAME);
    }
}
