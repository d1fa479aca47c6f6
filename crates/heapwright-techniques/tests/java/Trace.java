import com.sun.jdi.Bootstrap;
import com.sun.jdi.Location;
import com.sun.jdi.Method;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.LaunchingConnector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.VMDeathRequest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs {@link Replay} under a debugger. Its arguments: a class path, and a pattern of classes. Standard
 * input has a line for each of their methods, {@code class name descriptor index…}, an empty line, and
 * lines for {@code Replay}. For each of the latter it prints the output of {@code Replay}, followed by the
 * instructions that the run reached, in order, each as {@code method:index}, the method by its number.
 */
public final class Trace {
    private final VirtualMachine machine;
    private final List<String[]> methods;
    private final Map<Method, Integer> numbers = new HashMap<>();
    private final List<StringBuilder> runs = new ArrayList<>();

    private Trace(VirtualMachine machine, List<String[]> methods) {
        this.machine = machine;
        this.methods = methods;
    }

    public static void main(String[] arguments) throws Exception {
        BufferedReader reader = new BufferedReader(new InputStreamReader(System.in));
        List<String[]> methods = new ArrayList<>();
        for (String line = reader.readLine(); !line.isEmpty(); line = reader.readLine()) {
            methods.add(line.split(" "));
        }
        List<String> lines = new ArrayList<>();
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            lines.add(line);
        }
        LaunchingConnector connector = Bootstrap.virtualMachineManager().defaultConnector();
        Map<String, Connector.Argument> options = connector.defaultArguments();
        options.get("options").setValue("-ea -cp \"" + arguments[0] + "\"");
        options.get("main").setValue("Replay");
        VirtualMachine machine = connector.launch(options);
        Process process = machine.process();
        List<String> outcomes = new ArrayList<>();
        Thread feeder = new Thread(() -> feed(process, lines));
        Thread listener = new Thread(() -> listen(process.getInputStream(), outcomes));
        Thread failures = new Thread(() -> listen(process.getErrorStream(), null));
        feeder.start();
        listener.start();
        failures.start();
        Trace trace = new Trace(machine, methods);
        trace.watch(arguments[1]);
        listener.join();
        for (int i = 0; i < outcomes.size(); i++) {
            System.out.println(outcomes.get(i) + trace.runs.get(i));
        }
    }

    private static void feed(Process process, List<String> lines) {
        try (PrintWriter writer = new PrintWriter(process.getOutputStream())) {
            lines.forEach(writer::println);
        }
    }

    private static void listen(InputStream stream, List<String> lines) {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(stream))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                if (lines == null) {
                    System.err.println(line);
                } else {
                    lines.add(line);
                }
            }
        } catch (IOException exception) {
            throw new IllegalStateException(exception);
        }
    }

    /** Records the instructions that the machine reaches until it ends. */
    private void watch(String pattern) throws InterruptedException {
        prepare("Replay");
        prepare(pattern);
        // The machine waits at its end: by then all its events are reported.
        VMDeathRequest death = machine.eventRequestManager().createVMDeathRequest();
        death.setSuspendPolicy(EventRequest.SUSPEND_ALL);
        death.enable();
        // The machine waits at its start for the event of that. One resumption too many would let it run
        // while breakpoints are set.
        try {
            while (true) {
                EventSet events = machine.eventQueue().remove();
                for (Event event : events) {
                    if (event instanceof BreakpointEvent) {
                        note(((BreakpointEvent) event).location());
                    } else if (event instanceof ClassPrepareEvent) {
                        set(((ClassPrepareEvent) event).referenceType());
                    }
                }
                if (events.suspendPolicy() != EventRequest.SUSPEND_NONE) {
                    events.resume();
                }
            }
        } catch (VMDisconnectedException end) {
            // The machine has ended.
        }
    }

    private void prepare(String pattern) {
        ClassPrepareRequest request = machine.eventRequestManager().createClassPrepareRequest();
        request.addClassFilter(pattern);
        request.enable();
    }

    /** Sets breakpoints at the instructions of observed methods; a run begins with Replay's call. */
    private void set(ReferenceType type) {
        if (type.name().equals("Replay")) {
            add(type.methodsByName("call").get(0).location());
        }
        for (int number = 0; number < methods.size(); number++) {
            String[] words = methods.get(number);
            if (words[0].equals(type.name())) {
                Method method = type.methodsByName(words[1], words[2]).get(0);
                numbers.put(method, number);
                for (int word = 3; word < words.length; word++) {
                    add(method.locationOfCodeIndex(Long.parseLong(words[word])));
                }
            }
        }
    }

    /** Events are reported in order; the machine does not wait for them. */
    private void add(Location location) {
        BreakpointRequest request = machine.eventRequestManager().createBreakpointRequest(location);
        request.setSuspendPolicy(EventRequest.SUSPEND_NONE);
        request.enable();
    }

    private void note(Location location) {
        Integer number = numbers.get(location.method());
        if (number == null) {
            runs.add(new StringBuilder());
        } else {
            StringBuilder run = runs.get(runs.size() - 1);
            run.append(' ').append(number).append(':').append(location.codeIndex());
        }
    }
}
