import java.io.InputStream;
import java.nio.file.Path;
import java.util.zip.ZipFile;
import javax.xml.parsers.DocumentBuilderFactory;
import org.xml.sax.ErrorHandler;
import org.xml.sax.InputSource;
import org.xml.sax.SAXParseException;

/** Validates XML files against a document type definition in a jar. */
class Validate {
    /** Arguments: the jar, the name of the definition in it, and the files. */
    public static void main(String[] arguments) throws Exception {
        try (ZipFile jar = new ZipFile(arguments[0])) {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setValidating(true);
            for (int number = 2; number < arguments.length; number++) {
                var builder = factory.newDocumentBuilder();
                builder.setEntityResolver((publicId, systemId) -> {
                    InputStream definition = jar.getInputStream(jar.getEntry(arguments[1]));
                    return new InputSource(definition);
                });
                builder.setErrorHandler(new ErrorHandler() {
                    @Override
                    public void warning(SAXParseException wrong) throws SAXParseException {
                        throw wrong;
                    }

                    @Override
                    public void error(SAXParseException wrong) throws SAXParseException {
                        throw wrong;
                    }

                    @Override
                    public void fatalError(SAXParseException wrong) throws SAXParseException {
                        throw wrong;
                    }
                });
                var document = builder.parse(Path.of(arguments[number]).toFile());
                System.out.println(document.getDocumentElement().getTagName());
            }
        }
    }
}
