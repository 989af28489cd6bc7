import { PageHeader } from "@/ui/PageHeader";

export function DevicePage() {
  return <PageHeader title="Device" />;
}
