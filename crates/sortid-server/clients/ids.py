import concurrent.futures, urllib.request

def ids(url):
    fetch = lambda: urllib.request.urlopen(f"{url}?n=1000", timeout=5).read().decode().split()
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        following = pool.submit(fetch)
        while True:
            batch, following = following.result(), pool.submit(fetch)
            yield from batch
