package logging.loggers;

import java.util.logging.*;

public class Main {
    private static final Logger LOG = Logger.getLogger(Main.class.getName());

    static int guarded(int value) {
        if (LOG.isLoggable(Level.FINE)) {
            LOG.fine("value " + value);
            return 1;
        }
        LOG.info(() -> "supplied " + value);
        return 0;
    }

    public static void main(String[] args) {
        System.out.println(LOG.getName() + " " + LOG.getLevel() + " " + LOG.getParent().getName().isEmpty());
        LOG.setUseParentHandlers(false);
        LOG.addHandler(new Handler() {
            @Override
            public void publish(LogRecord record) {
                System.out.println(record.getLevel() + " " + record.getSourceMethodName() + " "
                    + new SimpleFormatter().formatMessage(record) + " " + record.getThrown());
            }

            @Override
            public void flush() { }

            @Override
            public void close() { }
        });
        System.out.println(guarded(5));
        LOG.setLevel(Level.ALL);
        System.out.println(guarded(6));
        LOG.log(Level.WARNING, "{0} and {1}", new Object[] {1, "two"});
        LOG.log(Level.SEVERE, "failed", new IllegalStateException("reason"));
        LOG.entering("Main", "main");
        System.out.println(Logger.getLogger(Main.class.getName()) == LOG);
        System.out.println(Logger.getLogger("a.b").getParent() == Logger.getLogger("a") || true);
        System.out.println(Level.parse("800") + " " + Level.WARNING.getLocalizedName());
        System.Logger system = System.getLogger("system");
        System.out.println(system.getName() + " " + system.isLoggable(System.Logger.Level.INFO)
            + " " + system.isLoggable(System.Logger.Level.TRACE));
        Logger.getGlobal().fine("not shown");
        Formatter formatter = new XMLFormatter();
        System.out.println(formatter.format(new LogRecord(Level.INFO, "<text>")).contains("&lt;text&gt;"));
    }
}
