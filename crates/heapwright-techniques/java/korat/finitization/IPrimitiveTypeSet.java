package korat.finitization;

/** A field domain of primitive values. */
interface IPrimitiveTypeSet extends IFieldDomain {}
