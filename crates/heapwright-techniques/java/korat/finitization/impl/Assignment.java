package korat.finitization.impl;

/** The domain of one field, for all objects of one class domain. */
final class Assignment {
    final ClassDomain owner;
    final String fieldName;
    final FieldDomain domain;

    Assignment(ClassDomain owner, String fieldName, FieldDomain domain) {
        this.owner = owner;
        this.fieldName = fieldName;
        this.domain = domain;
    }
}
