package heapwright.mvc;

import heapwright.trial.Notes;
import java.beans.PropertyDescriptor;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.time.temporal.Temporal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.springframework.beans.BeanUtils;
import org.springframework.context.i18n.LocaleContextHolder;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.format.annotation.DateTimeFormat;
import org.springframework.format.annotation.NumberFormat;
import org.springframework.format.support.DefaultFormattingConversionService;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.mock.http.MockHttpInputMessage;
import org.springframework.mock.http.MockHttpOutputMessage;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.MvcResult;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.test.web.servlet.setup.StandaloneMockMvcBuilder;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.validation.Errors;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ValueConstants;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.servlet.view.InternalResourceViewResolver;

/**
 * The request that stands for a call of a controller's handler, and the response to it, as a stand-alone {@code MockMvc} gives it.
 * Both are noted, a fact a note. A note {@code done} ends them; an exception comes before it where no request says what the call does.
 */
public final class Exchange {
    /** Prefix and suffix of views whose names are those of requests, as a test has them. */
    private static final String[] VIEWS = {"/views/", ".html"};

    private final Object controller;
    private final Method handler;
    private final Object[] held;
    private MockMvc mockMvc;
    private final List<Object> variables = new ArrayList<>();
    private final List<String[]> parts = new ArrayList<>();
    private boolean isForm;

    private Exchange(Object controller, Method handler, Object[] held) {
        this.controller = controller;
        this.handler = handler;
        this.held = held;
    }

    /**
     * Sends the request for a call of a handler, given by its name and descriptor, with these arguments. {@code held} are the
     * objects of the test, by their numbers.
     */
    public static void of(Object controller, String handler, Object[] arguments, Object[] held) throws Exception {
        for (Class<?> type = controller.getClass(); type != null; type = type.getSuperclass()) {
            for (Method method : type.getDeclaredMethods()) {
                MethodType types = MethodType.methodType(method.getReturnType(), method.getParameterTypes());
                if (handler.equals(method.getName() + types.toMethodDescriptorString())) {
                    new Exchange(controller, method, held).make(arguments);
                    return;
                }
            }
        }
    }

    private void make(Object[] arguments) throws Exception {
        RequestMapping own = AnnotatedElementUtils.findMergedAnnotation(handler, RequestMapping.class);
        RequestMapping of = AnnotatedElementUtils.findMergedAnnotation(controller.getClass(), RequestMapping.class);
        ensure(own != null && own.params().length == 0 && own.headers().length == 0);
        mockMvc = MockMvcBuilders.standaloneSetup(controller).build();
        String template = template(of == null ? new String[0] : of.path(), own.path());
        MethodParameter[] parameters = new HandlerMethod(controller, handler).getMethodParameters();
        String[] values = new String[parameters.length];
        for (int number = 0; number < parameters.length; number++) {
            parameters[number].initParameterNameDiscovery(new DefaultParameterNameDiscoverer());
            say(parameters[number], arguments[number], values, number, own.consumes());
        }
        RequestMethod[] methods = own.method().length > 0 || of == null ? own.method() : of.method();
        boolean hasBody = parts.stream().anyMatch(part -> part[0].equals("body"));
        String method = methods.length > 0 ? methods[0].name() : hasBody ? "POST" : "GET";
        order(template, parameters, values);
        Notes.add("method", method);
        Notes.add("template", template);
        for (Object variable : variables) {
            Notes.add("variable", String.valueOf(variable));
        }
        for (String[] part : parts) {
            Notes.add(part);
        }
        answer(result(method, template));
        Notes.add("done");
    }

    /** Path of a class and a method, without the patterns of its variables. */
    private static String template(String[] of, String[] own) {
        String before = of.length == 0 ? "" : of[0];
        String behind = own.length == 0 ? "" : own[0];
        String path = (before.replaceAll("/$", "") + (behind.isEmpty() || behind.startsWith("/") ? "" : "/") + behind);
        path = path.replaceAll("\\{(\\w+):[^/]*\\}", "{$1}");
        path = path.startsWith("/") ? path : "/" + path;
        ensure(!path.contains("*") && !path.contains("$") && !path.contains("?"));
        return path;
    }

    /** Gives the variables of a template their values, in its order. */
    private void order(String template, MethodParameter[] parameters, String[] values) {
        for (String piece : template.split("\\{")) {
            int end = piece.indexOf('}');
            if (end < 0) {
                continue;
            }
            String value = null;
            for (int number = 0; number < parameters.length; number++) {
                PathVariable variable = parameters[number].getParameterAnnotation(PathVariable.class);
                if (variable != null && piece.substring(0, end).equals(name(variable.name(), parameters[number]))) {
                    value = values[number];
                }
            }
            ensure(value != null && !value.isEmpty());
            variables.add(value);
        }
    }

    /** Says an argument by a part of the request. */
    private void say(MethodParameter parameter, Object value, String[] values, int number, String[] consumes) throws Exception {
        PathVariable variable = parameter.getParameterAnnotation(PathVariable.class);
        RequestParam param = parameter.getParameterAnnotation(RequestParam.class);
        RequestHeader header = parameter.getParameterAnnotation(RequestHeader.class);
        Class<?> type = parameter.getParameterType();
        if (variable != null) {
            values[number] = text(parameter, value);
        } else if (param != null) {
            sayAll("param", name(param.name(), parameter), parameter, value, param.required(), param.defaultValue());
        } else if (header != null) {
            sayAll("header", name(header.name(), parameter), parameter, value, header.required(), header.defaultValue());
        } else if (parameter.hasParameterAnnotation(RequestBody.class)) {
            sayBody(value, number, consumes);
        } else if (Errors.class.isAssignableFrom(type)) {
            ensure(!((Errors) value).hasErrors());
        } else if (Model.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type)) {
            ensure(parameter.getParameterAnnotations().length == 0);
            ensure(!(value instanceof Map) || ((Map<?, ?>) value).isEmpty());
        } else if (parameter.hasParameterAnnotation(ModelAttribute.class) || parameter.getParameterAnnotations().length == 0) {
            if (BeanUtils.isSimpleProperty(type)) {
                sayAll("param", name("", parameter), parameter, value, false, ValueConstants.DEFAULT_NONE);
            } else {
                sayForm(value, number);
            }
        } else {
            ensure(false);
        }
    }

    private static String name(String name, MethodParameter parameter) {
        String known = name.isEmpty() ? parameter.getParameterName() : name;
        ensure(known != null);
        return known;
    }

    /** Says an argument by parameters or headers of this name, none for null. */
    private void sayAll(String kind, String name, MethodParameter parameter, Object value, boolean required, String otherwise)
            {
        boolean hasDefault = !otherwise.equals(ValueConstants.DEFAULT_NONE);
        Object given = value instanceof Optional ? ((Optional<?>) value).orElse(null) : value;
        boolean isOptional = value instanceof Optional || !required;
        if (given == null) {
            ensure(isOptional && !hasDefault);
            return;
        }
        Object[] all = {given};
        if (given instanceof Collection) {
            all = ((Collection<?>) given).toArray();
        } else if (given instanceof Object[]) {
            all = (Object[]) given;
        }
        ensure(all.length > 0);
        for (Object one : all) {
            String text = text(parameter, one);
            // An empty one is none.
            ensure(!text.isEmpty() || String.class == parameter.getParameterType() && !hasDefault);
            ensure(all.length == 1 || !text.contains(","));
            ensure(kind.equals("param") || text.chars().allMatch(letter -> letter >= ' '));
            parts.add(new String[] {kind, name, text});
        }
    }

    /** Text that is converted to a value. */
    private static String text(MethodParameter parameter, Object value) {
        ensure(value != null);
        Class<?> type = value.getClass();
        ensure(BeanUtils.isSimpleValueType(type) && type != Class.class && type != Locale.class);
        boolean isFormatted = parameter.hasParameterAnnotation(DateTimeFormat.class) || parameter.hasParameterAnnotation(NumberFormat.class);
        if (isFormatted && type == parameter.getParameterType()) {
            LocaleContextHolder.setLocale(Locale.ENGLISH);
            Object text = new DefaultFormattingConversionService()
                    .convert(value, new TypeDescriptor(parameter), TypeDescriptor.valueOf(String.class));
            LocaleContextHolder.resetLocaleContext();
            return String.valueOf(text);
        }
        ensure(!isFormatted && !(value instanceof java.util.Date));
        return value instanceof Enum ? ((Enum<?>) value).name() : value.toString();
    }

    @SuppressWarnings("unchecked")
    private void sayBody(Object value, int number, String[] consumes) throws Exception {
        ensure(value != null);
        if (value instanceof String) {
            parts.add(new String[] {"body", consumes.length > 0 ? consumes[0] : "text/plain", (String) value});
            return;
        }
        RequestMappingHandlerAdapter adapter = mockMvc.getDispatcherServlet()
                .getWebApplicationContext()
                .getBean(RequestMappingHandlerAdapter.class);
        for (HttpMessageConverter<?> converter : adapter.getMessageConverters()) {
            if (converter.canWrite(value.getClass(), MediaType.APPLICATION_JSON)) {
                MockHttpOutputMessage out = new MockHttpOutputMessage();
                ((HttpMessageConverter<Object>) converter).write(value, MediaType.APPLICATION_JSON, out);
                String json = out.getBodyAsString(StandardCharsets.UTF_8);
                parts.add(new String[] {"body", "application/json", json});
                MockHttpInputMessage in = new MockHttpInputMessage(out.getBodyAsBytes());
                in.getHeaders().setContentType(MediaType.APPLICATION_JSON);
                noteCopy(((HttpMessageConverter<Object>) converter).read((Class<Object>) value.getClass(), in), value, number);
                return;
            }
        }
        ensure(false);
    }

    /** Says an object by parameters for its properties. */
    private void sayForm(Object value, int number) throws Exception {
        ensure(value != null && !isForm);
        isForm = true;
        Object copy = value.getClass().getConstructor().newInstance();
        for (PropertyDescriptor property : BeanUtils.getPropertyDescriptors(value.getClass())) {
            if (property.getReadMethod() == null || property.getWriteMethod() == null) {
                continue;
            }
            Object held = property.getReadMethod().invoke(value);
            Object initial = property.getReadMethod().invoke(copy);
            if (held == null ? initial == null : held.equals(initial)) {
                continue;
            }
            ensure(held != null && BeanUtils.isSimpleProperty(property.getPropertyType()));
            MethodParameter setter = BeanUtils.getWriteMethodParameter(property);
            parts.add(new String[] {"param", property.getName(), text(setter, held)});
            property.getWriteMethod().invoke(copy, held);
        }
        noteCopy(copy, value, number);
    }

    /** Notes that the handler is given another object than the call, equal or not. */
    private static void noteCopy(Object copy, Object value, int number) {
        Notes.add("copy", String.valueOf(number), String.valueOf(value.equals(copy)));
    }

    /** Result of the request; a view with the name of the request itself needs another place. */
    private MvcResult result(String method, String template) throws Exception {
        try {
            return mockMvc.perform(request(method, template)).andReturn();
        } catch (Exception thrown) {
            ensure(String.valueOf(thrown.getMessage()).contains("Circular view path"));
            InternalResourceViewResolver views = new InternalResourceViewResolver(VIEWS[0], VIEWS[1]);
            StandaloneMockMvcBuilder builder = MockMvcBuilders.standaloneSetup(controller).setViewResolvers(views);
            mockMvc = builder.build();
            Notes.add("views", VIEWS[0], VIEWS[1]);
            return mockMvc.perform(request(method, template)).andReturn();
        }
    }

    private MockHttpServletRequestBuilder request(String method, String template) {
        MockHttpServletRequestBuilder request =
                MockMvcRequestBuilders.request(HttpMethod.valueOf(method), template, variables.toArray());
        for (String[] part : parts) {
            switch (part[0]) {
                case "param":
                    request.param(part[1], part[2]);
                    break;
                case "header":
                    request.header(part[1], part[2]);
                    break;
                default:
                    request.contentType(part[1]).content(part[2]);
            }
        }
        return request;
    }

    /** Notes the response of the handler itself. */
    private void answer(MvcResult result) throws Exception {
        ensure(result.getHandler() instanceof HandlerMethod);
        ensure(((HandlerMethod) result.getHandler()).getMethod().equals(handler));
        ensure(!result.getRequest().isAsyncStarted());
        ensure(result.getResolvedException() == null || isOfHandler(result.getResolvedException()));
        MockHttpServletResponse response = result.getResponse();
        Notes.add("status", String.valueOf(response.getStatus()));
        String redirected = response.getStatus() / 100 == 3 ? response.getRedirectedUrl() : null;
        if (redirected != null) {
            Notes.add("redirect", redirected);
        }
        for (String name : response.getHeaderNames()) {
            boolean isPlain = !name.startsWith("Content-") && !name.equals("Date") && !name.equals("Vary");
            if (isPlain && (redirected == null || !name.equals("Location")) && response.getHeaders(name).size() == 1) {
                Notes.add("reply-header", name, response.getHeader(name));
            }
        }
        if (result.getModelAndView() != null && result.getModelAndView().getViewName() != null && redirected == null) {
            Notes.add("view", result.getModelAndView().getViewName());
            attributes("attribute", result.getModelAndView().getModel());
        }
        attributes("flash", result.getFlashMap());
        String body = response.getContentAsString();
        String type = String.valueOf(response.getContentType());
        if (!body.isEmpty()) {
            Notes.add(type.contains("json") ? "json" : "text", body);
        }
    }

    private boolean isOfHandler(Exception exception) {
        for (StackTraceElement element : exception.getStackTrace()) {
            if (element.getClassName().equals(handler.getDeclaringClass().getName())) {
                return true;
            }
        }
        return false;
    }

    private void attributes(String kind, Map<String, Object> attributes) {
        for (Map.Entry<String, Object> attribute : attributes.entrySet()) {
            Object value = attribute.getValue();
            String name = attribute.getKey();
            if (value == null) {
                continue;
            } else if (value instanceof BindingResult) {
                if (((BindingResult) value).hasErrors()) {
                    Notes.add("errors", name.substring(BindingResult.MODEL_KEY_PREFIX.length()));
                }
            } else if (value instanceof Collection && !(value instanceof java.util.Set)) {
                List<String> fields = new ArrayList<>(java.util.Arrays.asList(kind, name, "list"));
                for (Object element : (Collection<?>) value) {
                    fields.addAll(java.util.Arrays.asList(shown(element)));
                }
                Notes.add(fields.toArray(new String[0]));
            } else {
                String[] shown = shown(value);
                Notes.add(kind, name, shown[0], shown[1]);
            }
        }
    }

    /** Kind and text of a value: a number of an object of the test, a constant, else another one. */
    private String[] shown(Object value) {
        for (int number = 0; number < held.length; number++) {
            if (value != null && held[number] == value) {
                return new String[] {"held", String.valueOf(number)};
            }
        }
        if (value instanceof String) {
            return new String[] {"text", (String) value};
        }
        boolean isConstant = value instanceof Integer || value instanceof Boolean;
        return new String[] {isConstant ? "constant" : "other", isConstant ? String.valueOf(value) : ""};
    }

    /** Gives up where no request says what the call does. */
    private static void ensure(boolean isSayable) {
        if (!isSayable) {
            throw new IllegalArgumentException();
        }
    }
}
