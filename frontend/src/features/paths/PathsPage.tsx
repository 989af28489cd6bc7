import { PageHeader } from "@/ui/PageHeader";

export function PathsPage() {
  return <PageHeader title="Paths" />;
}
