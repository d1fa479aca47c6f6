package told;

/** What a controller answers. */
public class Reply<T> {
    private final int status;
    private final Headers headers;
    private final T body;

    public Reply(int status, Headers headers, T body) {
        this.status = status;
        this.headers = headers;
        this.body = body;
    }

    public int getStatus() {
        return status;
    }

    public Headers getHeaders() {
        return headers;
    }

    public T getBody() {
        return body;
    }
}
