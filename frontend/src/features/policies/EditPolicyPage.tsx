/** Pages to create, copy and edit a policy. Saving changes no node. */
import { useQuery } from "@tanstack/react-query";
import { useParams, useSearchParams } from "react-router";
import { policyQuery } from "@/api/failover";
import { policiesQuery } from "@/api/queries";
import { useSite } from "@/api/scope";
import { emptyDraft, draftOf } from "./draft";
import { PolicyEditor } from "./PolicyEditor";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { Waiting } from "@/ui/ErrorState";

export function NewPolicyPage() {
  const site = useSite();
  const [params] = useSearchParams();
  const copied = params.get("copy");
  const original = useQuery({ ...policyQuery(Number(copied)), enabled: copied !== null });
  if (site === undefined) return <Waiting what="the sites" />;
  if (copied === null)
    return <Ready site={site.name} draft={emptyDraft(site.name)} id={null} title="New policy" />;
  return (
    <QueryBoundary query={original} what="the policy to copy">
      {(policy) => (
        <Ready
          site={policy.site}
          draft={{ ...draftOf(policy), name: `${policy.name}-2` }}
          id={null}
          title={`Copy of ${policy.name}`}
        />
      )}
    </QueryBoundary>
  );
}

export function EditPolicyPage() {
  const id = Number(useParams().id);
  const policy = useQuery({ ...policyQuery(id), refetchOnWindowFocus: false });
  return (
    <QueryBoundary query={policy} what="this policy" page="Edit policy">
      {(data) => <Ready site={data.site} draft={draftOf(data)} id={id} title={`Edit ${data.name}`} />}
    </QueryBoundary>
  );
}

function Ready({
  site,
  ...rest
}: {
  site: string;
  draft: ReturnType<typeof emptyDraft>;
  id: number | null;
  title: string;
}) {
  const policies = useQuery(policiesQuery(site));
  const others = (policies.data ?? []).filter(({ id }) => id !== rest.id).map(({ name }) => name);
  return <PolicyEditor {...rest} others={others} />;
}
