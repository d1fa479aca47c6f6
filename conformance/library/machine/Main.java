package library.machine;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.VMOption;
import java.lang.management.ManagementFactory;

/** What a program may ask its virtual machine, and class files that it refuses. */
public final class Main {
    static class Definer extends ClassLoader {
        void define(int major, int minor) {
            byte[] bytes = {(byte) 0xCA, (byte) 0xFE, (byte) 0xBA, (byte) 0xBE, 0, (byte) minor, 0, (byte) major, 0, 0};
            try {
                defineClass("some.Made", bytes, 0, bytes.length);
            } catch (LinkageError e) {
                System.out.println(e.getClass().getName());
            }
        }
    }

    public static void main(String[] args) {
        int feature = Runtime.version().feature();
        System.out.println(Double.parseDouble(System.getProperty("java.class.version")) == feature + 44);
        HotSpotDiagnosticMXBean bean = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        for (String name : new String[] {"UseCompressedOops", "ObjectAlignmentInBytes"}) {
            VMOption option = bean.getVMOption(name);
            System.out.println(option.getName() + " " + option.getValue() + " " + option.isWriteable());
        }
        try {
            System.out.println(bean.getVMOption("NoSuchOption"));
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() >= 0);
        Definer definer = new Definer();
        definer.define(feature + 45, 0);
        definer.define(feature + 44, 1);
        definer.define(feature + 44, 0);
        definer.define(50, 3);
    }
}
