import { PageHeader } from "@/ui/PageHeader";

export function LinkPage() {
  return <PageHeader title="Link" />;
}
