package library.observers;

import java.beans.PropertyChangeListener;
import java.beans.PropertyChangeSupport;
import java.io.StreamTokenizer;
import java.io.StringReader;
import java.util.StringTokenizer;

/** Listeners of properties, and tokens of text. */
public class Main {
    static class Subject {
        final PropertyChangeSupport support = new PropertyChangeSupport(this);
        private int size;

        void setSize(int size) {
            int old = this.size;
            this.size = size;
            support.firePropertyChange("size", old, size);
        }
    }

    public static void main(String[] args) throws Exception {
        Subject subject = new Subject();
        PropertyChangeListener all = event -> System.out.println(event.getPropertyName() + " "
                + event.getOldValue() + " " + event.getNewValue());
        subject.support.addPropertyChangeListener(all);
        subject.support.addPropertyChangeListener("size", event -> System.out.println("only size"));
        subject.setSize(3);
        subject.setSize(3);
        subject.setSize(4);
        subject.support.firePropertyChange("other", false, true);
        subject.support.removePropertyChangeListener(all);
        subject.setSize(5);
        System.out.println(subject.support.hasListeners("size") + " "
                + subject.support.hasListeners("other"));
        StringTokenizer tokens = new StringTokenizer("a+b-c", "+-", true);
        StringBuilder text = new StringBuilder().append(tokens.countTokens());
        while (tokens.hasMoreTokens()) {
            text.append(' ').append(tokens.nextToken());
        }
        System.out.println(text);
        StreamTokenizer stream = new StreamTokenizer(new StringReader("x1 = 2.5 // note\n'q' \"s\""));
        stream.slashSlashComments(true);
        while (stream.nextToken() != StreamTokenizer.TT_EOF) {
            System.out.println(stream.ttype + " " + stream.sval + " " + stream.nval);
        }
    }
}
