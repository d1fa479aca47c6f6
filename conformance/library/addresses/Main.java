package library.addresses;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.net.UnknownHostException;

import java.util.Arrays;

/** Addresses given by numbers, and URLs. */
public class Main {
    public static void main(String[] args) throws Exception {
        InetAddress local = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        System.out.println(local + " " + local.isLoopbackAddress() + " " + local.isAnyLocalAddress());
        InetAddress four = InetAddress.getByName("10.1.2.3");
        System.out.println(four.getHostAddress() + " " + four.isSiteLocalAddress() + " "
                + Arrays.toString(four.getAddress()) + " " + four.hashCode());
        InetAddress six = InetAddress.getByName("2001:db8::ff");
        System.out.println(six.getHostAddress() + " " + (six instanceof Inet6Address));
        System.out.println(InetAddress.getByName("::1").isLoopbackAddress());
        System.out.println(InetAddress.getByName("224.0.0.1").isMulticastAddress());
        System.out.println(InetAddress.getByAddress("name", new byte[] {1, 2, 3, 4}));
        System.out.println(four.equals(InetAddress.getByAddress(new byte[] {10, 1, 2, 3})));
        InetSocketAddress open = InetSocketAddress.createUnresolved("host", 80);
        System.out.println(open.getHostString() + " " + open.getPort() + " " + open.isUnresolved());
        InetSocketAddress bound = new InetSocketAddress(four, 443);
        System.out.println(bound.getAddress() + " " + bound.isUnresolved());
        try {
            InetAddress.getByAddress(new byte[3]);
        } catch (UnknownHostException thrown) {
            System.out.println(thrown.getMessage());
        }
        try {
            new InetSocketAddress(four, 70000);
        } catch (IllegalArgumentException thrown) {
            System.out.println("port");
        }
        URL url = new URL("https://user@host.example:8443/a/b?c=d#e");
        System.out.println(url.getProtocol() + " " + url.getUserInfo() + " " + url.getHost() + " "
                + url.getPort() + " " + url.getPath() + " " + url.getQuery() + " " + url.getRef());
        System.out.println(url.toURI().resolve("../x").normalize());
        System.out.println(URLDecoder.decode(URLEncoder.encode("a b&c=\u00e9", "UTF-8"), "UTF-8")
                .length());
    }
}
