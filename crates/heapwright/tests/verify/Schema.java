import java.io.File;
import javax.xml.XMLConstants;
import javax.xml.transform.Source;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.SchemaFactory;

/** Validates a file against the schema of GraphML, which a library on the class path has. */
public class Schema {
    public static void main(String[] args) throws Exception {
        ClassLoader loader = Schema.class.getClassLoader();
        Source[] sources = {
            new StreamSource(loader.getResourceAsStream("xlink.xsd")),
            new StreamSource(loader.getResourceAsStream("graphml.xsd")),
        };
        SchemaFactory factory = SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI);
        factory.setProperty(XMLConstants.ACCESS_EXTERNAL_SCHEMA, "");
        factory.newSchema(sources).newValidator().validate(new StreamSource(new File(args[0])));
        System.out.println("valid");
    }
}
