package korat.finitization.impl;

import java.util.ArrayList;

/**
 * A finitization as text, for the search engine to read: one record a line, fields separated by single spaces, numbers
 * decimal. In this order:
 *
 * <pre>
 * finitization 1
 * root CLASS-NUMBER
 * arrays excluded|objects
 * class NUMBER NAME COUNT iso|plain ADDED own|foreign
 * domain NUMBER boolean
 * domain NUMBER byte|short|int|long FIRST:STEP:COUNT...
 * domain NUMBER float|double RAW-BITS...
 * domain NUMBER objects FIELD-CLASS null|nonnull CLASS-NUMBER...
 * domain NUMBER array CLASS-NUMBER LENGTHS-DOMAIN ELEMENTS-DOMAIN
 * field CLASS-NUMBER FIELD-NAME DOMAIN-NUMBER
 * addall CLASS-NUMBER FIELD-NAME DOMAIN-NUMBER
 * </pre>
 *
 * Class lines: own domains in the order of their creation, which is the order of the state space; then domains made by
 * another finitization that only occur inside sets ("foreign": their objects have no fields to choose). ADDED objects
 * come before the COUNT objects to be made; a COUNT below zero means none. A domain's lines precede those that use it.
 * Field lines are in the order of the calls to set; a field line of an array class domain never occurs (its length and
 * its elements follow from the array domain). Class names are binary names, with dots.
 */
final class Description {
    private final ArrayList<ClassDomain> classes = new ArrayList<ClassDomain>();
    private final ArrayList<FieldDomain> domains = new ArrayList<FieldDomain>();
    private final StringBuilder domainLines = new StringBuilder();

    Description(ArrayList<ClassDomain> own) {
        classes.addAll(own);
    }

    ArrayList<ClassDomain> classes() {
        return classes;
    }

    /** By identity: another finitization may have its own domain of the same class. */
    int classNumber(ClassDomain domain) {
        for (int i = 0; i < classes.size(); i++) {
            if (classes.get(i) == domain) {
                return i;
            }
        }
        classes.add(domain);
        return classes.size() - 1;
    }

    /** Returns the number of a domain, after its line is written. */
    int domainNumber(FieldDomain domain) {
        for (int i = 0; i < domains.size(); i++) {
            if (domains.get(i) == domain) {
                return i;
            }
        }
        StringBuilder line = new StringBuilder();
        domain.describe(line, this);
        int number = domains.size();
        domains.add(domain);
        domainLines.append("domain ").append(number).append(' ').append(line).append('\n');
        return number;
    }

    private void assignments(StringBuilder out, String record, ArrayList<Assignment> assignments) {
        for (int i = 0; i < assignments.size(); i++) {
            Assignment assignment = assignments.get(i);
            String fault = assignment.domain.fault();
            if (fault != null) {
                throw new IllegalArgumentException(
                        "field " + assignment.owner.getClassNameOfObjects() + "." + assignment.fieldName + " has "
                                + fault);
            }
            out.append(record).append(' ').append(classNumber(assignment.owner)).append(' ');
            out.append(assignment.fieldName).append(' ').append(domainNumber(assignment.domain)).append('\n');
        }
    }

    String text(
            ClassDomain root, boolean arraysAsObjects, ArrayList<Assignment> fields, ArrayList<Assignment> additions) {
        int own = classes.size();
        StringBuilder fieldLines = new StringBuilder();
        assignments(fieldLines, "field", fields);
        assignments(fieldLines, "addall", additions);
        StringBuilder out = new StringBuilder();
        out.append("finitization 1\nroot ").append(classNumber(root)).append('\n');
        out.append(arraysAsObjects ? "arrays objects\n" : "arrays excluded\n");
        for (int i = 0; i < classes.size(); i++) {
            ClassDomain domain = classes.get(i);
            out.append("class ").append(i).append(' ').append(domain.getClassNameOfObjects());
            out.append(' ').append(domain.count);
            out.append(domain.isIncludedInIsomorphismChecking() ? " iso " : " plain ");
            out.append(domain.addedCount()).append(i < own ? " own\n" : " foreign\n");
        }
        return out.append(domainLines).append(fieldLines).toString();
    }
}
