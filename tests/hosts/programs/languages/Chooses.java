import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.security.SecureRandom;
import java.util.logging.Logger;

/** Chooses at random, and uses what Java reads its configuration for. */
public class Chooses {
    private static String after(String line, String mark, String end) {
        String rest = line.substring(line.lastIndexOf(mark) + mark.length());
        return rest.substring(0, rest.indexOf(end));
    }

    public static void main(String[] arguments) throws IOException {
        var input = new BufferedReader(new InputStreamReader(System.in));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            if (line.contains("\"type\":\"hello\"")) {
                Logger.getLogger("bot").info("ready");
                System.out.println("{\"type\":\"ready\"}");
            } else if (line.contains("\"type\":\"act\"")) {
                String[] legal = after(line, "\"legal\":[", "]").split(",");
                String action = legal[new SecureRandom().nextInt(legal.length)];
                String ply = after(line, "\"ply\":", ",");
                System.out.println("{\"type\":\"act\",\"ply\":" + ply + ",\"action\":" + action + "}");
            }
        }
    }
}
