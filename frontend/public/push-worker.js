// Shows push messages as notifications and opens their page. It handles no requests and caches nothing: there
// is no `fetch` handler, so pages and API answers never pass through it.

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

/** The message of the server (core/alerting/push_payload.py); browsers demand a notification for each. */
function messageOf(data) {
  try {
    const { title, body, tag, path } = data.json();
    return { title: String(title), body: String(body), tag: String(tag), path: String(path) };
  } catch {
    const body = "A message that this version cannot read arrived. Open Backstay.";
    return { title: "Backstay", body, tag: "unreadable", path: "/incidents" };
  }
}

self.addEventListener("push", (event) => {
  const { title, body, tag, path } = messageOf(event.data);
  const options = {
    body,
    tag,
    icon: "/mark-192.png",
    badge: "/mark-192.png",
    renotify: true,
    data: { path },
  };
  event.waitUntil(self.registration.showNotification(title, options));
});

/** An absolute URL of this origin; anything else becomes the list of incidents. */
function pageOf(path) {
  const url = new URL(path ?? "/incidents", self.location.origin);
  return url.origin === self.location.origin ? url.href : new URL("/incidents", self.location.origin).href;
}

async function open(url) {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const same = windows.find((client) => client.url === url);
  if (same !== undefined) return same.focus();
  const [first] = windows;
  if (first === undefined) return self.clients.openWindow(url);
  const focused = await first.focus();
  try {
    return await focused.navigate(url);
  } catch {
    // A window that this worker does not control cannot be navigated.
    return self.clients.openWindow(url);
  }
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(pageOf(event.notification.data?.path)));
});
