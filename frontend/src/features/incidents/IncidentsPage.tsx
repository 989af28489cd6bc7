import { PageHeader } from "@/ui/PageHeader";

export function IncidentsPage() {
  return <PageHeader title="Incidents" />;
}
