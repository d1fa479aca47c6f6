
    /** Reads a value where the type is expected. */
    private static Object value(String word, Class<?> type, Object[] objects) throws Exception {
        if (word.equals("null")) {
            return null;
        }
        if (word.startsWith("@")) {
            return objects[Integer.parseInt(word.substring(1))];
        }
        if (word.startsWith("source:")) {
            return source(Integer.parseInt(word.substring(7)));
        }
        if (word.startsWith("\"")) {
            return text(word.substring(1, word.length() - 1));
        }
        int colon = word.startsWith("'") ? -1 : word.indexOf(':');
        if (colon < 0) {
            return primitive(type.getSimpleName(), word);
        }
        String kind = word.substring(0, colon);
        if (!kind.equals("enum") && !kind.equals("field")) {
            return primitive(kind, word.substring(colon + 1));
        }
        int last = word.lastIndexOf(':');
        Class<?> owner = type(word.substring(colon + 1, last));
        String name = text(word.substring(last + 1));
        if (kind.equals("field")) {
            return owner.getDeclaredField(name).get(null);
        }
        for (Object constant : owner.getEnumConstants()) {
            if (((Enum<?>) constant).name().equals(name)) {
                return constant;
            }
        }
        throw new NoSuchFieldException(word);
    }

    private static Object primitive(String type, String word) {
        switch (type) {
            case "boolean": case "Boolean": return Boolean.valueOf(word);
            case "byte": case "Byte": return Byte.valueOf(word);
            case "short": case "Short": return Short.valueOf(word);
            case "char": case "Character": return text(word.substring(1, word.length() - 1)).charAt(0);
            case "int": case "Integer": return Integer.valueOf(word);
            case "long": case "Long": return Long.valueOf(word);
            case "float": case "Float": return Float.valueOf(word);
            case "double": case "Double": return Double.valueOf(word);
            default: throw new IllegalArgumentException(type + " " + word);
        }
    }

    /** Finds a class; names without a dot are those of primitives or of this package. */
    private static Class<?> type(String name) throws Exception {
        if (name.endsWith("[]")) {
            return type(name.substring(0, name.length() - 2)).arrayType();
        }
        switch (name) {
            case "boolean": return boolean.class;
            case "byte": return byte.class;
            case "short": return short.class;
            case "char": return char.class;
            case "int": return int.class;
            case "long": return long.class;
            case "float": return float.class;
            case "double": return double.class;
            default: return Class.forName((name.indexOf('.') < 0 ? PACKAGE : "") + text(name));
        }
    }

    /** Resolves the escapes of a text. */
    private static String text(String escaped) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < escaped.length(); i++) {
            char letter = escaped.charAt(i);
            if (letter != '\\') {
                text.append(letter);
                continue;
            }
            letter = escaped.charAt(++i);
            if (letter == 'u') {
                text.append((char) Integer.parseInt(escaped.substring(i + 1, i + 5), 16));
                i += 4;
            } else {
                text.append(letter == 'n' ? '\n' : letter == 'r' ? '\r' : letter == 't' ? '\t' : letter);
            }
        }
        return text.toString();
    }

    /** The words of a line; a space in quotes parts none. */
    private static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        char quote = 0;
        for (int i = 0; i < line.length(); i++) {
            char letter = line.charAt(i);
            if (letter == ' ' && quote == 0) {
                words.add(word.toString());
                word.setLength(0);
                continue;
            }
            word.append(letter);
            if (letter == '\\') {
                word.append(line.charAt(++i));
            } else if (letter == quote) {
                quote = 0;
            } else if (quote == 0 && (letter == '"' || letter == '\'')) {
                quote = letter;
            }
        }
        words.add(word.toString());
        return words;
    }

    private static List<List<String>> split(List<String> words, String separator) {
        List<List<String>> parts = new ArrayList<>();
        parts.add(new ArrayList<>());
        for (String word : words) {
            if (word.equals(separator)) {
                parts.add(new ArrayList<>());
            } else {
                parts.get(parts.size() - 1).add(word);
            }
        }
        return parts;
    }

    /** Every behaviour in the file: a name for it, its structure and its call, if it has one. */
    private static List<Object[]> read() throws IOException {
        List<Object[]> behaviours = new ArrayList<>();
        try (InputStream file = CLASS.class.getResourceAsStream(FILE)) {
            if (file == null) {
                throw new FileNotFoundException(FILE + " must be on the class path, beside the test");
            }
            BufferedReader reader =
                    new BufferedReader(new InputStreamReader(file, StandardCharsets.US_ASCII));
            int number = 0;
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                number++;
                if (line.startsWith("#")) {
                    continue;
                }
                List<List<String>> parts = split(words(line), "|");
                if (parts.size() == 1) {
                    parts.add(new ArrayList<>());
                }
                for (List<String> call : parts.subList(1, parts.size())) {
                    String name = "line " + number + ": " + String.join(" ", call);
                    behaviours.add(new Object[] {name, parts.get(0), call});
                }
            }
        }
        return behaviours;
    }
