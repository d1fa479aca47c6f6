package locales.bundles;

import java.text.MessageFormat;
import java.util.*;

public class Main {
    public static class Texts extends ListResourceBundle {
        @Override
        protected Object[][] getContents() {
            return new Object[][] {{"greeting", "hello"}, {"only", "base"}};
        }
    }

    public static class Texts_de extends ListResourceBundle {
        @Override
        protected Object[][] getContents() {
            return new Object[][] {{"greeting", "hallo"}};
        }
    }

    public static void main(String[] args) {
        String name = Texts.class.getName();
        ResourceBundle.Control none = ResourceBundle.Control.getNoFallbackControl(ResourceBundle.Control.FORMAT_CLASS);
        ResourceBundle german = ResourceBundle.getBundle(name, Locale.GERMANY, none);
        System.out.println(german.getString("greeting") + " " + german.getString("only") + " " + german.getLocale());
        ResourceBundle french = ResourceBundle.getBundle(name, Locale.FRANCE, none);
        System.out.println(french.getString("greeting") + " [" + french.getLocale() + "]");
        System.out.println(new TreeSet<>(german.keySet()) + " " + german.containsKey("none"));
        System.out.println(ResourceBundle.getBundle(name, Locale.GERMANY, none) == german);
        try {
            german.getString("none");
        } catch (MissingResourceException e) {
            System.out.println(e.getKey());
        }
        try {
            ResourceBundle.getBundle("no.such.bundle", Locale.US);
        } catch (MissingResourceException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(new MessageFormat("{1} {0}").format(new Object[] {"a", german.getObject("greeting")}));
    }
}
