import { PageHeader } from "@/ui/PageHeader";

export function EventsPage() {
  return <PageHeader title="Events" />;
}
