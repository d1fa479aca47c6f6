/** Strings built, searched and compared. */
public class Strings {
    public static void main(String[] args) {
        int found = 0;
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < 150_000; i++) {
            String word = "item-" + i + ":" + i % 7;
            all.append(word, 0, 4).append(i).append(',');
            if (word.indexOf(":3") > 0 || word.endsWith("0:5")) {
                found++;
            }
        }
        System.out.println(all.length() + " " + all.toString().hashCode() + " " + found);
    }
}
