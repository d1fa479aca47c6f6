package heapwright.measure;

/** Tests of each framework, which make it load and initialise what all tests need. */
public class Sample {
    public static class OfJunit5 {
        @org.junit.jupiter.api.Test
        void passes() {}
    }

    public static class OfJunit4 {
        @org.junit.Test
        public void passes() {}
    }

    public static class OfTestng {
        @org.testng.annotations.Test
        public void passes() {}
    }
}
