package library.documents;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.SAXParserFactory;
import org.w3c.dom.DOMException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.Attributes;
import org.xml.sax.helpers.DefaultHandler;

/** XML parsed, changed and read by paths. */
public class Main {
    public static void main(String[] args) throws Exception {
        String text = "<list size='2'><item id='a'>one</item><item id='b'>two &amp; three</item>"
                + "<!-- note --><empty/></list>";
        Document document = DocumentBuilderFactory.newInstance().newDocumentBuilder()
                .parse(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
        Element root = document.getDocumentElement();
        System.out.println(root.getTagName() + " " + root.getAttribute("size"));
        NodeList items = root.getElementsByTagName("item");
        for (int index = 0; index < items.getLength(); index++) {
            Element item = (Element) items.item(index);
            System.out.println(item.getAttribute("id") + "=" + item.getTextContent());
        }
        Element added = document.createElement("item");
        added.setAttribute("id", "c");
        added.appendChild(document.createTextNode("<four>"));
        root.appendChild(added);
        System.out.println(root.getChildNodes().getLength() + " " + root.getLastChild().getNodeName());
        System.out.println(root.getLastChild().getTextContent());
        StringBuilder seen = new StringBuilder();
        SAXParserFactory.newInstance().newSAXParser().parse(
                new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), new DefaultHandler() {
                    @Override
                    public void startElement(String uri, String local, String name, Attributes all) {
                        seen.append('<').append(name).append(all.getLength()).append('>');
                    }

                    @Override
                    public void characters(char[] chars, int start, int length) {
                        seen.append(chars, start, length);
                    }
                });
        System.out.println(seen);
        try {
            DocumentBuilderFactory.newInstance().newDocumentBuilder().newDocument()
                    .appendChild(document.createTextNode("x"));
        } catch (DOMException thrown) {
            System.out.println(thrown.code);
        }
    }
}
