import concurrent.futures, threading, urllib.request

def ids(url):  # next_id = ids(URL); print(next_id())
    fetch = lambda: urllib.request.urlopen(url, timeout=5).read().decode().split()
    lock, pool = threading.Lock(), concurrent.futures.ThreadPoolExecutor(1)
    kept, following = [], pool.submit(fetch)
    def next_id():
        nonlocal kept, following
        with lock:
            if not kept:
                if following.exception(): following = pool.submit(fetch)
                kept, following = following.result()[::-1], pool.submit(fetch)
            return kept.pop()
    return next_id
