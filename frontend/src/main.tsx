/** The composition root: creates the cache, the live stream and the router, and renders the page. */
import { QueryClientProvider } from "@tanstack/react-query";
import { Fragment, StrictMode, useSyncExternalStore, type ReactNode, type Ref } from "react";
import { createRoot } from "react-dom/client";
import { createBrowserRouter, Link, useLocation } from "react-router";
import { RouterProvider } from "react-router/dom";
import { LiveContext } from "@/api/connection";
import { LiveStream } from "@/api/live";
import { sessionQuery } from "@/api/queries";
import { makeQueryClient } from "@/api/query-client";
import { carry } from "@/api/scope";
import { makeRoutes } from "@/routes";
import { AnchorContext, type AnchorProps } from "@/ui/Anchor";
import { notify } from "@/ui/notify";
import { contrastChoice, followContrast } from "@/ui/contrast";
import { zoneChoice } from "@/util/timeZone";
import { Theme } from "@/Theme";
// Style sheets, in the order in which they override one another.
import "@fontsource-variable/inter/wght.css";
import "@mantine/core/styles/baseline.css";
import "@mantine/core/styles/default-css-variables.css";
import "@mantine/core/styles/global.css";
import "@mantine/core/styles/UnstyledButton.css";
import "@mantine/core/styles/Button.css";
import "@mantine/core/styles/ActionIcon.css";
import "@mantine/core/styles/Loader.css";
import "@mantine/core/styles/Input.css";
import "@mantine/core/styles/InlineInput.css";
import "@mantine/core/styles/Checkbox.css";
import "@mantine/core/styles/PasswordInput.css";
import "@mantine/core/styles/Popover.css";
import "@mantine/core/styles/Menu.css";
import "@mantine/core/styles/Tooltip.css";
import "@mantine/core/styles/FloatingIndicator.css";
import "@mantine/core/styles/SegmentedControl.css";
import "@mantine/core/styles/Slider.css";
import "@mantine/core/styles/CloseButton.css";
import "@mantine/core/styles/Paper.css";
import "@mantine/core/styles/Overlay.css";
import "@mantine/core/styles/ModalBase.css";
import "@mantine/core/styles/Drawer.css";
import "@mantine/core/styles/Modal.css";
import "@mantine/core/styles/Group.css";
import "@mantine/core/styles/Notification.css";
import "@mantine/core/styles/ScrollArea.css";
import "@mantine/core/styles/Combobox.css";
import "@mantine/core/styles/Pill.css";
import "@mantine/core/styles/PillsInput.css";
import "@/ui/tokens.css";
import "@/ui/base.css";
import "@/ui/print.css";

/** Router link for ui that keeps site and time range. */
function RouterAnchor({ href, ref, ...rest }: AnchorProps & { ref?: Ref<HTMLAnchorElement> }) {
  const { search } = useLocation();
  return <Link {...rest} {...(ref === undefined ? {} : { ref })} to={carry(href, search)} />;
}

/** Draws everything again in another time zone or contrast: pages have times, and charts read their colours once. */
function Redrawn({ children }: { children: ReactNode }) {
  const zone = useSyncExternalStore(zoneChoice.subscribe, zoneChoice.get);
  const contrast = useSyncExternalStore(contrastChoice.subscribe, contrastChoice.get);
  return <Fragment key={`${zone} ${contrast}`}>{children}</Fragment>;
}

/** Paper is white: a dark page is light while it is printed. */
function printLight(root: HTMLElement): void {
  const name = "data-mantine-color-scheme";
  let before: string | null = null;
  window.addEventListener("beforeprint", () => {
    before = root.getAttribute(name);
    root.setAttribute(name, "light");
  });
  window.addEventListener("afterprint", () => before !== null && root.setAttribute(name, before));
}

async function start(): Promise<void> {
  if (__MOCK__) {
    const { startMock } = await import("@/mocks/browser");
    await startMock();
  }
  followContrast(document.documentElement);
  printLight(document.documentElement);
  const queries = makeQueryClient({
    onSignedOut: () => {
      // The first page's guard redirects to the sign-in on the same response.
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
              <Redrawn>
                <RouterProvider router={router} />
              </Redrawn>
            </AnchorContext>
          </LiveContext>
        </QueryClientProvider>
      </Theme>
    </StrictMode>,
  );
}

void start();
