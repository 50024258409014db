// @ts-check
// Caches the till's document, manifest and icons on the phone, so that it opens without a network. Caches no API response.
/* global VERSION, caches, self */
const SHELL = `till-${VERSION}`;
const PAGE = '/till';
const FILES = [PAGE, '/till/manifest.webmanifest', '/till/icon-192.png', '/till/icon-512.png'];
/** Milliseconds to wait for a response before the cached document is used. */
const PATIENCE = 4_000;

const worker = /** @type {any} */ (self);

worker.addEventListener('install', (/** @type {any} */ event) => {
  event.waitUntil(caches.open(SHELL).then((shell) => shell.addAll(FILES)));
  worker.skipWaiting();
});

worker.addEventListener('activate', (/** @type {any} */ event) => {
  event.waitUntil(forgetFormer().then(() => worker.clients.claim()));
});

worker.addEventListener('fetch', (/** @type {any} */ event) => {
  const { request } = event;
  const { pathname, origin } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin || !FILES.includes(pathname)) return;
  event.respondWith(pathname === PAGE ? freshOrKept(request, event) : keptOrFresh(request));
});

async function forgetFormer() {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith('till-') && name !== SHELL).map((name) => caches.delete(name)),
  );
}

/** Returns the newest document if the service responds in time, otherwise the cached document. */
async function freshOrKept(request, event) {
  const shell = await caches.open(SHELL);
  const fresh = fetch(request).then(async (answer) => {
    if (!answer.ok) throw new Error(String(answer.status));
    await shell.put(PAGE, answer.clone());
    return answer;
  });
  event.waitUntil(fresh.catch(() => undefined));
  const late = new Promise((_, reject) => setTimeout(() => reject(new Error('late')), PATIENCE));
  return Promise.race([fresh, late]).catch(async () => (await shell.match(PAGE)) ?? fresh);
}

/** @param {any} request */
async function keptOrFresh(request) {
  const shell = await caches.open(SHELL);
  return (await shell.match(request)) ?? fetch(request);
}
