
    private static Object[] build(List<String> words) throws Throwable {
        List<List<String>> parts = split(words, ";");
        Object[] objects = new Object[parts.size()];
        for (List<String> part : parts) {
            String head = part.get(0);
            int equals = head.indexOf('=');
            Object made = call(head.substring(equals + 1), part, objects);
            if (equals > 0) {
                objects[Integer.parseInt(head.substring(1, equals))] = made;
            }
        }
        return objects;
    }

    /** Makes the call that words say. */
    private static Object call(String method, List<String> words, Object[] objects) throws Throwable {
        int dot = method.startsWith("@") ? method.indexOf('.') : -1;
        Object receiver = dot < 0 ? null : objects[Integer.parseInt(method.substring(1, dot))];
        String signature = method.substring(dot + 1);
        int open = signature.indexOf('(') + 1;
        String[] types = signature.substring(open, signature.length() - 1).split(",");
        Object[] arguments = new Object[types[0].isEmpty() ? 0 : types.length];
        for (int i = 0; i < arguments.length; i++) {
            boolean isReference = types[i].indexOf('.') > 0 || types[i].startsWith("[");
            Class<?> type = isReference ? Object.class : type(types[i]);
            arguments[i] = value(words.get(i + 1), type, objects);
        }
        return call(text(signature), receiver, arguments);
    }

    /** Makes the call and compares how it ends with the line. */
    private static void check(List<String> call, Object[] objects) throws Throwable {
        String method = call.get(0);
        String outcome = call.get(call.indexOf("->") + 1);
        Object result;
        try {
            result = call(method.indexOf('#') > 0 ? method : "@0." + method, call, objects);
        } catch (Throwable thrown) {
            if (!outcome.startsWith("throws:")) {
                throw thrown;
            }
            assertEquals(type(outcome.substring(7)), thrown.getClass());
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
            Class<?> type = result == null ? Object.class : result.getClass();
            assertEquals(value(outcome, type, objects), result);
        }
    }
