import { PageHeader } from "@/ui/PageHeader";

export function FabricsPage() {
  return <PageHeader title="Fabrics" />;
}
