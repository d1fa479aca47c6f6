package korat.finitization;

/** False, then true. */
public interface IBooleanSet extends IPrimitiveTypeSet {}
