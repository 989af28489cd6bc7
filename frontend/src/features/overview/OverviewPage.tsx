import type { ReactNode } from "react";
import { useSite } from "@/api/scope";
import { PageHeader } from "@/ui/PageHeader";

export function OverviewPage({ miniMap }: { miniMap: (site: string) => ReactNode }) {
  const site = useSite();
  return (
    <>
      <PageHeader title="Overview" />
      {site !== undefined && miniMap(site.name)}
    </>
  );
}
