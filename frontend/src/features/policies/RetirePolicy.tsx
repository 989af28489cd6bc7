/** Deletes a policy. A deployed one is retired: a change removes its routes first. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useLocation, useNavigate } from "react-router";
import { useDeletePolicy } from "@/api/change-actions";
import { may } from "@/api/permissions";
import { sessionQuery } from "@/api/queries";
import { carry } from "@/api/scope";
import type { Policy } from "@/api/types";
import classes from "./PoliciesPage.module.css";
import { Anchor } from "@/ui/Anchor";
import { confirm } from "@/ui/confirm";
import { notify } from "@/ui/notify";
import { Panel } from "@/ui/Panel";

export function RetirePolicy({ policy }: { policy: Policy }) {
  const { data: person } = useQuery(sessionQuery);
  const { removal, deployed } = policy;
  if (removal != null)
    return (
      <Panel title="Retire this policy">
        <p>
          <Anchor href={`/changes/${removal}`}>Change #{removal}</Anchor> removes it from its nodes. It must
          be approved and applied.
        </p>
      </Panel>
    );
  if (!may.editPolicies(person)) return null;
  return (
    <Panel title={deployed ? "Retire this policy" : "Delete this policy"}>
      <RemoveForm policy={policy} />
    </Panel>
  );
}

const DEPLOYED =
  "A plan removes its routes and its part of the boot files from every node that has them. No node changes until that plan is approved and applied.";
const THEN = {
  operator: "When it is done, the policy is deleted.",
  file: "When it is done, remove the policy from the site file.",
} as const satisfies Record<Policy["origin"], string>;
const NOT_DEPLOYED =
  "It is not deployed on any node: its definition and the history of its paths are deleted at once.";

function RemoveForm({
  policy: { id, name, deployed, origin, deletion_refusal: refusal = "" },
}: {
  policy: Policy;
}) {
  const navigate = useNavigate();
  const { search } = useLocation();
  const open = (path: string) => void navigate(carry(path, search));
  const remove = useDeletePolicy(id, (change) => {
    if (change === null) notify("good", `Policy ${name} deleted.`);
    open(change === null ? "/policies" : `/changes/${change.id}`);
  });
  const consequence = deployed ? `${DEPLOYED} ${THEN[origin]}` : NOT_DEPLOYED;
  const ask = () =>
    confirm({
      title: `${deployed ? "Retire" : "Delete"} policy ${name}?`,
      consequence,
      action: deployed ? "Plan the removal" : "Delete policy",
      onConfirm: () => {
        // Leave first: this page would request a deleted policy.
        if (!deployed) open("/policies");
        remove.mutate();
      },
    });
  return (
    <div className={classes.stack}>
      {refusal === "" ? <p className="dim">{consequence}</p> : <p id="deletion-refusal">{refusal}</p>}
      <div className={classes.row}>
        <Button
          size="xs"
          variant="default"
          disabled={refusal !== ""}
          aria-describedby={refusal === "" ? undefined : "deletion-refusal"}
          loading={remove.isPending}
          onClick={ask}
        >
          {deployed ? "Retire policy" : "Delete policy"}
        </Button>
      </div>
    </div>
  );
}
