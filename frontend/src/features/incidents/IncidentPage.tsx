import { PageHeader } from "@/ui/PageHeader";

export function IncidentPage() {
  return <PageHeader title="Incident" />;
}
