package control.labels;

/** break and continue with labels, out of loops, blocks and switches. */
public final class Main {
    public static void main(String[] args) {
        outer:
        for (int i = 0; i < 5; i++) {
            for (int j = 0; j < 5; j++) {
                if (j == 3) {
                    continue outer;
                }
                if (i == 3) {
                    break outer;
                }
                System.out.print(i * 10 + j + " ");
            }
        }
        System.out.println();
        int n = 0;
        rows:
        while (true) {
            do {
                n++;
                switch (n % 4) {
                    case 0:
                        continue rows;
                    case 1:
                        break;
                    case 2:
                        if (n > 17) {
                            break rows;
                        }
                    default:
                        n++;
                }
                System.out.print(n + " ");
            } while (n < 30);
            n -= 7;
        }
        System.out.println("end " + n);
        block: {
            if (n > 10) {
                System.out.println("left the block");
                break block;
            }
            System.out.println("stayed");
        }
        String found = "none";
        search:
        for (String word : new String[] {"alpha", "beta", "gamma"}) {
            for (char c : word.toCharArray()) {
                if (c == 'g') {
                    found = word;
                    break search;
                }
            }
        }
        System.out.println(found);
        int count = 0;
        a:
        for (;;) {
            b:
            for (;;) {
                c:
                for (;;) {
                    count++;
                    if (count % 2 == 0) continue b;
                    if (count % 3 == 0) continue a;
                    if (count % 5 == 0) break c;
                    if (count > 20) break a;
                }
                count += 3;
            }
        }
        System.out.println(count);
    }
}
