
    private static Object[] build(List<String> words) throws Exception {
        List<List<String>> parts = split(words, ";");
        Object[] objects = new Object[parts.size()];
        for (List<String> part : parts) {
            String head = part.get(0).substring(part.get(0).indexOf('=') + 1);
            objects[identity(part)] = make(head, part.subList(1, part.size()), objects);
        }
        for (List<String> part : parts) {
            fill(objects[identity(part)], part.subList(1, part.size()), objects);
        }
        return objects;
    }

    /** The number in "@1=Node". */
    private static int identity(List<String> part) {
        return Integer.parseInt(part.get(0).substring(1, part.get(0).indexOf('=')));
    }

    private static Object make(String head, List<String> words, Object[] objects) throws Exception {
        if (head.startsWith("\"") || head.indexOf(':') > 0) {
            return value(head, Object.class, objects);
        }
        if (head.endsWith("]")) {
            int bracket = head.lastIndexOf('[');
            int length = Integer.parseInt(head.substring(bracket + 1, head.length() - 1));
            return Array.newInstance(type(head.substring(0, bracket)), length);
        }
        Class<?> type = type(head);
        if (!type.isRecord()) {
            return allocate(type.getName());
        }
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        for (int i = 0; i < types.length; i++) {
            types[i] = components[i].getType();
            values[i] = value(words.get(i).substring(words.get(i).indexOf('=') + 1), types[i], objects);
        }
        Constructor<?> constructor = type.getDeclaredConstructor(types);
        constructor.setAccessible(true);
        return constructor.newInstance(values);
    }

    private static void fill(Object object, List<String> words, Object[] objects) throws Exception {
        if (object.getClass().isArray()) {
            for (int i = 0; i < words.size(); i++) {
                Class<?> element = object.getClass().getComponentType();
                Array.set(object, i, value(words.get(i), element, objects));
            }
        } else if (!object.getClass().isRecord()) {
            for (String word : words) {
                int equals = word.indexOf('=');
                Field field = field(object.getClass(), word.substring(0, equals));
                field.setAccessible(true);
                field.set(object, value(word.substring(equals + 1), field.getType(), objects));
            }
        }
    }

    /** Looks a field up in a class and its superclasses; "Base#next" names the one of Base. */
    private static Field field(Class<?> start, String name) throws Exception {
        int hash = name.indexOf('#');
        if (hash > 0) {
            return type(name.substring(0, hash)).getDeclaredField(text(name.substring(hash + 1)));
        }
        for (Class<?> type = start; type != null; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (field.getName().equals(text(name))) {
                    return field;
                }
            }
        }
        throw new NoSuchFieldException(name);
    }

    /** Makes the call and compares how it ends with the line. */
    private static void check(List<String> call, Object[] objects) throws Throwable {
        Method method = method(call.get(0), objects[0]);
        method.setAccessible(true);
        Class<?>[] types = method.getParameterTypes();
        Object[] arguments = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            arguments[i] = value(call.get(i + 1), types[i], objects);
        }
        String outcome = call.get(types.length + 2);
        Object result;
        try {
            result = method.invoke(objects[0], arguments);
        } catch (InvocationTargetException thrown) {
            Throwable cause = thrown.getCause();
            if (!outcome.startsWith("throws:")) {
                throw cause;
            }
            assertEquals(type(outcome.substring(7)), cause.getClass());
            return;
        }
        if (outcome.startsWith("throws:")) {
            assertEquals(outcome, "returned " + result);
        } else if (outcome.equals("object") || outcome.startsWith("object:")) {
            assertNotNull(result);
            if (outcome.length() > 6) {
                assertEquals(type(outcome.substring(7)), result.getClass());
            }
        } else if (outcome.startsWith("@")) {
            assertSame(value(outcome, Object.class, objects), result);
        } else if (!outcome.equals("void")) {
            assertEquals(value(outcome, method.getReturnType(), objects), result);
        }
    }

    /** Looks a method up by "insert(int)" in the root's class, by "Base#insert(int)" in Base. */
    private static Method method(String name, Object root) throws Exception {
        int hash = name.indexOf('#');
        Class<?> start = hash > 0 ? type(name.substring(0, hash)) : root.getClass();
        for (Method method : start.getDeclaredMethods()) {
            StringBuilder found = new StringBuilder(method.getName()).append('(');
            for (Class<?> type : method.getParameterTypes()) {
                found.append(found.charAt(found.length() - 1) == '(' ? "" : ",");
                found.append(type.getName());
            }
            String signature = text(name.substring(hash + 1));
            if (!method.isBridge() && found.append(')').toString().equals(signature)) {
                return method;
            }
        }
        throw new NoSuchMethodException(name);
    }

    /** Reads a value where the type is expected. */
    private static Object value(String word, Class<?> type, Object[] objects) throws Exception {
        if (word.equals("null")) {
            return null;
        }
        if (word.startsWith("@")) {
            return objects[Integer.parseInt(word.substring(1))];
        }
        if (word.startsWith("\"")) {
            return text(word.substring(1, word.length() - 1));
        }
        int colon = word.startsWith("'") ? -1 : word.indexOf(':');
        if (colon < 0) {
            return primitive(type.getName(), word);
        }
        String kind = word.substring(0, colon);
        if (!kind.equals("enum")) {
            return primitive(kind, word.substring(colon + 1));
        }
        int last = word.lastIndexOf(':');
        Class<?> owner = type(word.substring(colon + 1, last));
        for (Object constant : owner.getEnumConstants()) {
            if (((Enum<?>) constant).name().equals(text(word.substring(last + 1)))) {
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
