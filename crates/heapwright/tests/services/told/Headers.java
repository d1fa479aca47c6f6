package told;

public final class Headers {
    private String language;
    private String location;

    public String getEncoding() {
        return null;
    }

    public String getLanguage() {
        return language;
    }

    public int getLength() {
        return -1;
    }

    public boolean isChunked() {
        return false;
    }

    public boolean isCompressed() {
        return false;
    }

    public String getType() {
        return "";
    }

    public String getLocation() {
        return location;
    }

    public void setLanguage(String language) {
        this.language = language;
    }

    public void setLocation(String location) {
        this.location = location;
    }
}
