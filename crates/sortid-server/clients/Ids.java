final class Ids {
    private final Queue<String> kept = new ArrayDeque<>();
    private final Supplier<CompletableFuture<HttpResponse<String>>> fetch;
    private CompletableFuture<HttpResponse<String>> following;
    Ids(String url) {
        var client = HttpClient.newHttpClient();
        var request = HttpRequest.newBuilder(URI.create(url + "?n=1000")).timeout(Duration.ofSeconds(5)).build();
        fetch = () -> client.sendAsync(request, BodyHandlers.ofString());
        following = fetch.get();
    }
    synchronized String next() {
        if (kept.isEmpty()) {
            var answer = following.exceptionally(error -> null).join();
            following = fetch.get();
            if (answer == null || answer.statusCode() != 200) throw new IllegalStateException("no IDs: " + answer);
            kept.addAll(List.of(answer.body().split("\n")));
        }
        return kept.remove();
    }
}
