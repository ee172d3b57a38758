// What `make serve` has in the place of the service worker: it takes away a worker that an earlier `make site` left on this address,
// whose kept pages would otherwise hide every change.
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) =>
  event.waitUntil(
    (async () => {
      await self.registration.unregister();
      const ours = (await caches.keys()).filter((name) => name.startsWith("gpubites ") && name.endsWith(self.registration.scope));
      await Promise.all(ours.map((name) => caches.delete(name)));
    })(),
  ),
);
