package claims;

/** Constants and member classes that override a method with code. */
public enum Overrides {
    PLAIN,
    STRICT {
        @Override
        public boolean allows(int n) {
            return n > 30 && n % 2 == 0;
        }
    };

    public boolean allows(int n) {
        return n > 3;
    }

    public static class Rule {
        public boolean allows(int n) {
            return n > 5;
        }

        public static Rule even() {
            return new Rule() {
                @Override
                public boolean allows(int n) {
                    return n % 2 == 0;
                }
            };
        }

        public static Rule odd() {
            return new Odd();
        }

        private static class Odd extends Rule {
            @Override
            public boolean allows(int n) {
                return n < 5 || n == 77;
            }
        }

        private static boolean neverCalled(int n) {
            return n > 9;
        }
    }
}
