package algorithms.hashing;

/** An open-addressing hash table, a trie, a bloom filter and a ring buffer of our own. */
public class Main {
    static class Table<K, V> {
        Object[] keys = new Object[4], values = new Object[4];
        int size, probes;

        private int slot(Object key) {
            int i = (key.hashCode() & 0x7fffffff) % keys.length;
            while (keys[i] != null && !keys[i].equals(key)) {
                probes++;
                i = i + 1 == keys.length ? 0 : i + 1;
            }
            return i;
        }

        V put(K key, V value) {
            if (2 * size >= keys.length) grow();
            int i = slot(key);
            V old = get(key);
            if (keys[i] == null) size++;
            keys[i] = key;
            values[i] = value;
            return old;
        }

        @SuppressWarnings("unchecked")
        V get(K key) {
            return (V) values[slot(key)];
        }

        private void grow() {
            Object[] oldKeys = keys, oldValues = values;
            keys = new Object[oldKeys.length * 2];
            values = new Object[keys.length];
            for (int i = 0; i < oldKeys.length; i++) {
                if (oldKeys[i] != null) {
                    int s = slot(oldKeys[i]);
                    keys[s] = oldKeys[i];
                    values[s] = oldValues[i];
                }
            }
        }
    }

    static class Trie {
        final Trie[] next = new Trie[26];
        boolean word;

        void add(String s) {
            Trie t = this;
            for (int i = 0; i < s.length(); i++) {
                int c = s.charAt(i) - 'a';
                if (t.next[c] == null) t.next[c] = new Trie();
                t = t.next[c];
            }
            t.word = true;
        }

        void list(String prefix, StringBuilder out) {
            if (word) out.append(prefix).append(' ');
            for (char c = 'a'; c <= 'z'; c++) {
                if (next[c - 'a'] != null) next[c - 'a'].list(prefix + c, out);
            }
        }
    }

    static class Ring {
        final long[] items = new long[4];
        int head, count;

        boolean offer(long l) {
            if (count == items.length) return false;
            items[(head + count++) % items.length] = l;
            return true;
        }

        long take() {
            if (count == 0) throw new IllegalStateException("ring empty");
            long l = items[head];
            head = (head + 1) % items.length;
            count--;
            return l;
        }
    }

    public static void main(String[] args) {
        Table<Object, Object> t = new Table<>();
        for (int i = 0; i < 100; i++) {
            t.put(i * 16, "v" + i);
            t.put("k" + i, i);
        }
        System.out.println(t.size + " " + t.keys.length + " " + t.probes + " " + t.get(160) + " " + t.get("k77") + " " + t.get(5L) + " " + t.put("k77", null) + " " + t.size);
        Trie trie = new Trie();
        for (String s : "to tea ted ten i in inn tent".split(" ")) trie.add(s);
        StringBuilder sb = new StringBuilder();
        trie.list("", sb);
        System.out.println(sb);
        long[] bits = new long[4];
        for (String s : "alpha beta gamma".split(" ")) {
            for (int k = 1; k < 4; k++) {
                int h = (s.hashCode() * k * 0x9e3779b9) >>> 24;
                bits[h >> 6] |= 1L << h;
            }
        }
        for (long b : bits) System.out.print(Long.toHexString(b) + " ");
        System.out.println();
        Ring ring = new Ring();
        long sum = 0;
        for (int i = 0; i < 20; i++) {
            if (!ring.offer(1L << i)) {
                sum += ring.take() - ring.take();
            }
        }
        System.out.println(sum + " " + ring.count + " " + ring.head);
        try {
            while (true) ring.take();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
    }
}
