/**
 * Keeps the page usable without a network. Files come from the network where there is one, so that a new version is seen at
 * once, and else from the cache. Only files of this page are stored.
 */
declare const FILES: readonly string[];
declare const VERSION: string;

interface WaitingEvent extends Event {
  waitUntil(until: Promise<unknown>): void;
}
interface RequestEvent extends Event {
  request: Request;
  respondWith(response: Promise<Response>): void;
}

const NAME = `attractor-playground-${VERSION}`;
const scope = self as unknown as { skipWaiting(): Promise<void>; clients: { claim(): Promise<void> }; registration: { scope: string } };

self.addEventListener('install', (event) => (event as WaitingEvent).waitUntil(install()));
self.addEventListener('activate', (event) => (event as WaitingEvent).waitUntil(activate()));
self.addEventListener('fetch', (event) => {
  const { request } = event as RequestEvent;
  if (request.method === 'GET' && request.url.startsWith(scope.registration.scope)) (event as RequestEvent).respondWith(respond(request));
});

async function install(): Promise<void> {
  await (await caches.open(NAME)).addAll([...FILES]);
  await scope.skipWaiting();
}

async function activate(): Promise<void> {
  const old = (await caches.keys()).filter((name) => name.startsWith('attractor-playground-') && name !== NAME);
  await Promise.all(old.map((name) => caches.delete(name)));
  await scope.clients.claim();
}

async function respond(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const stored = await caches.match(request, { ignoreSearch: true });
    if (stored) return stored;
    throw error;
  }
}
