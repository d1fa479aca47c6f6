package claims;

/** Takes objects of types that nothing implements: other code may. */
public class Sensors {
    public interface Sensor {
        int read();

        boolean isReady();
    }

    abstract static class Device {
        abstract int value();
    }

    public static int changes(Sensor sensor) {
        return sensor.read() == sensor.read() ? 0 : 1;
    }

    static int value(Device device) {
        return device == null ? 0 : device.value();
    }

    public static int kept(int[] values, Sensors[] sensors) {
        return values.length > sensors.length ? 1 : 0;
    }
}
