/** The composition root: makes the cache, the live stream and the router, and draws the page. */
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createBrowserRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import { LiveContext } from "@/api/connection";
import { LiveStream } from "@/api/live";
import { sessionQuery } from "@/api/queries";
import { makeQueryClient } from "@/api/query-client";
import { RouterAnchor } from "@/features/shell/links";
import { makeRoutes } from "@/routes";
import { AnchorContext } from "@/ui/Anchor";
import { notify } from "@/ui/notices";
import { Theme } from "@/ui/Theme";
import "@/ui/styles";

async function start(): Promise<void> {
  if (__MOCK__) {
    const { startMock } = await import("@/mocks/browser");
    await startMock();
  }
  const queries = makeQueryClient({
    onSignedOut: () => {
      // The first page's own guard sends to the sign-in, from the same answer.
      if (!router.state.initialized) return;
      const { pathname, search } = router.state.location;
      if (pathname === "/sign-in") return;
      queries.setQueryData(sessionQuery.queryKey, null);
      void router.navigate(`/sign-in?next=${encodeURIComponent(pathname + search)}`);
    },
    onFailed: (message) => notify("bad", message),
  });
  const live = new LiveStream(queries);
  const router = createBrowserRouter(makeRoutes(queries));
  const root = document.getElementById("root");
  if (root === null) throw new Error("index.html has no element #root");
  createRoot(root).render(
    <StrictMode>
      <Theme>
        <QueryClientProvider client={queries}>
          <LiveContext value={live}>
            <AnchorContext value={RouterAnchor}>
              <RouterProvider router={router} />
            </AnchorContext>
          </LiveContext>
        </QueryClientProvider>
      </Theme>
    </StrictMode>,
  );
}

void start();
