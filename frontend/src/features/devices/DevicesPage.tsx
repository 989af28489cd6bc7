import { PageHeader } from "@/ui/PageHeader";

export function DevicesPage() {
  return <PageHeader title="Devices" />;
}
