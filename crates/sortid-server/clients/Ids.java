import java.net.URI; import java.net.http.*; import java.util.concurrent.*;

final class Ids extends ArrayBlockingQueue<String> { // var ids = new Ids(URL); System.out.println(ids.take());
    Ids(String url) {
        super(1000);
        var client = HttpClient.newHttpClient();
        var request = HttpRequest.newBuilder(URI.create(url)).build();
        var thread = new Thread(() -> {
            while (true) try {
                var answer = client.sendAsync(request, HttpResponse.BodyHandlers.ofString()).get(5, TimeUnit.SECONDS);
                if (answer.statusCode() != 200) throw new IllegalStateException(answer.body());
                for (var id : answer.body().split("\n")) put(id);
            } catch (Exception error) {
                System.err.println("no IDs: " + error);
                java.util.concurrent.locks.LockSupport.parkNanos(1_000_000_000);
            }
        });
        thread.setDaemon(true); thread.start();
    }
}
