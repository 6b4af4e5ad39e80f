// Keeps the page for the time without a network: from the cache at once, and a new version for the next time.
const CACHE = 'sortid-inspector';
const PAGE = new URL('./', self.location).href;

self.addEventListener('install', (event) => {
  event.waitUntil(update().then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

async function update() {
  const response = await fetch(PAGE, { cache: 'no-cache' });
  if (response.ok) await (await caches.open(CACHE)).put(PAGE, response);
}

self.addEventListener('fetch', (event) => {
  const { pathname } = new URL(event.request.url);
  const isPage =
    event.request.mode === 'navigate' &&
    [PAGE, `${PAGE}index.html`].some((page) => new URL(page).pathname === pathname);
  if (!isPage) return;
  event.respondWith(
    (async () => {
      const cached = await (await caches.open(CACHE)).match(PAGE);
      const fresh = update().catch(() => {});
      event.waitUntil(fresh);
      return cached ?? fetch(event.request);
    })(),
  );
});
