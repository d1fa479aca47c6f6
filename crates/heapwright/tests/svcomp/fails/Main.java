import org.sosy_lab.sv_benchmarks.Verifier;

public class Main {
    public static void main(String[] arguments) {
        int number = Verifier.nondetInt();
        assert number != Math.abs(number) || number < 1_000_000;
    }
}
