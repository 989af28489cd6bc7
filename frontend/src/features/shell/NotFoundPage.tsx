/** Page of an unknown address. */
import { useLocation } from "react-router";
import { Anchor } from "@/ui/Anchor";
import { EmptyState } from "@/ui/ErrorState";
import { PageHeader } from "@/ui/PageHeader";

export function NotFoundPage() {
  const { pathname } = useLocation();
  return (
    <>
      <PageHeader title="Page not found" headline={`There is no page at ${pathname}.`} />
      <EmptyState title="The address may be mistyped, or the object was deleted.">
        Press Ctrl K to find a node or link by name, or open the <Anchor href="/">Overview</Anchor>.
      </EmptyState>
    </>
  );
}
