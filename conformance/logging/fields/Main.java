package logging.fields;

import java.util.UUID;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.MemoryHandler;
import java.util.logging.SimpleFormatter;
import java.util.logging.StreamHandler;

/** Loggers in static fields, with handlers, filters, formatters and levels. */
public class Main {
    private static final Logger LOG = Logger.getLogger(Main.class.getName());
    private static final System.Logger SYSTEM = System.getLogger("system");
    private static final UUID ID = UUID.randomUUID();

    public static void main(String[] args) {
        LOG.setUseParentHandlers(false);
        StreamHandler handler = new StreamHandler(System.out, new SimpleFormatter() {
            @Override
            public String format(LogRecord record) {
                return record.getLevel() + " " + record.getLoggerName() + " " + record.getSourceMethodName()
                        + ": " + formatMessage(record) + "\n";
            }
        });
        handler.setLevel(Level.ALL);
        LOG.addHandler(handler);
        LOG.setLevel(Level.FINE);
        LOG.info("plain");
        LOG.log(Level.WARNING, "with {0} and {1}", new Object[] {1, "two"});
        LOG.fine(() -> "made " + 3);
        LOG.finer("not shown");
        LOG.setFilter(record -> !record.getMessage().contains("secret"));
        LOG.severe("a secret");
        LOG.severe("no filter");
        LOG.entering("Main", "main");
        LOG.logp(Level.INFO, "Class", "method", "given");
        handler.flush();
        Logger child = Logger.getLogger(LOG.getName() + ".child");
        System.out.println(child.getParent() == LOG);
        System.out.println(child.getLevel() + " " + child.isLoggable(Level.FINE) + " "
                + child.isLoggable(Level.FINEST));
        System.out.println(Logger.getLogger(LOG.getName()) == LOG);
        System.out.println(Level.parse("800") + " " + Level.parse("WARNING").intValue());
        System.out.println(SYSTEM.getName() + " " + SYSTEM.isLoggable(System.Logger.Level.INFO) + " "
                + SYSTEM.isLoggable(System.Logger.Level.TRACE));
        System.out.println(ID.version() + " " + ID.variant() + " " + UUID.nameUUIDFromBytes(new byte[3]));
        MemoryHandler memory = new MemoryHandler(handler, 2, Level.SEVERE);
        memory.publish(new LogRecord(Level.INFO, "dropped"));
        memory.publish(new LogRecord(Level.INFO, "kept"));
        memory.publish(new LogRecord(Level.SEVERE, "pushes"));
        handler.flush();
    }
}
