import org.sosy_lab.sv_benchmarks.Verifier;

public class Main {
    public static void main(String[] arguments) {
        int number = Verifier.nondetInt();
        Verifier.assume(number > 0 && number < 100);
        assert number * number < 10_000;
    }
}
