// Starts one OpenSearch node from plain jars, without distribution, plugins directory or security manager: for tests and benchmarks only.

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.transport.Netty4Plugin;

/** Arguments are key=value node settings; a value with commas becomes a list where the key is node.roles. */
public final class WeirOpenSearchNode extends Node {
    private WeirOpenSearchNode(Environment environment) {
        super(environment, List.of(Netty4Plugin.class), false);
    }

    public static void main(String[] arguments) throws Exception {
        Settings.Builder builder = Settings.builder();
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            String key = argument.substring(0, equals);
            String value = argument.substring(equals + 1);
            if (key.equals("node.roles")) builder.putList(key, value.split(","));
            else builder.put(key, value);
        }
        Settings settings = builder.build();
        Files.createDirectories(Path.of(settings.get("path.home"), "config"));
        Environment environment =
            InternalSettingsPreparer.prepareEnvironment(settings, new HashMap<>(), null, () -> settings.get("node.name"));
        WeirOpenSearchNode node = new WeirOpenSearchNode(environment);
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                node.close();
                node.awaitClose(10, TimeUnit.SECONDS);
            } catch (Exception failure) {
                System.err.println("close failed: " + failure);
            } finally {
                stopped.countDown();
            }
        }));
        node.start();
        stopped.await();
    }
}
