/** No page has this address. */
import { useLocation } from "react-router";
import { Anchor } from "@/ui/Anchor";
import { EmptyState } from "@/ui/ErrorState";
import { PageHeader } from "@/ui/PageHeader";

export function NotFoundPage() {
  const { pathname } = useLocation();
  return (
    <>
      <PageHeader title="No such page" headline={`Nothing is at ${pathname}.`} />
      <EmptyState title="The address may be mistyped, or what it named has been removed.">
        Press Ctrl K to find a node or link by name, or start at the <Anchor href="/">Overview</Anchor>.
      </EmptyState>
    </>
  );
}
