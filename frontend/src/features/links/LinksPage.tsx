import { PageHeader } from "@/ui/PageHeader";

export function LinksPage() {
  return <PageHeader title="Links" />;
}
