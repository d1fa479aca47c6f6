
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
            found.append(')');
            if (!method.isBridge() && found.toString().equals(signature)
                    || signature.equals(found + ":" + method.getReturnType().getName())) {
                return method;
            }
        }
        throw new NoSuchMethodException(name);
    }
