package walk;
public class Choices {}
