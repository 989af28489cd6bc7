/** What an administrator released on the node itself, or what its agent reverted, and the button that clears it. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { client, unwrap } from "@/api/client";
import { may } from "@/api/permissions";
import { sessionQuery } from "@/api/queries";
import type { Node } from "@/api/types";
import classes from "./DevicePage.module.css";
import { ConfirmButton } from "@/ui/confirm";
import { notify } from "@/ui/notify";
import { Panel } from "@/ui/Panel";
import { StateLabel } from "@/ui/StateLabel";
import { clock } from "@/util/time";

const SCOPES = {
  policies: "the named policies",
  routing: "all routes",
  everything: "routes and ARP",
} as const;

export function Management({ node }: { node: Node }) {
  const { data: person } = useQuery(sessionQuery);
  const { management } = node;
  if (management === null) return null;
  const { state, scope, since, text, cleared_by: clearedBy } = management;
  return (
    <Panel title="Management">
      <p className={classes.saved}>
        <StateLabel
          state={state === "reverted" ? "critical" : "warning"}
          label={state === "reverted" ? "change reverted" : "released on the node"}
          title={`Backstay does not manage ${SCOPES[scope]} of this node.`}
        />{" "}
        <span title={clock(since)}>{text}</span>
      </p>
      {clearedBy !== "" ? (
        <p className={classes.saved}>Cleared by {clearedBy}; the node has not reported it yet.</p>
      ) : (
        may.manageAgain(person) && <ManageAgain node={node} />
      )}
    </Panel>
  );
}

function ManageAgain({ node: { id, name } }: { node: Node }) {
  const queries = useQueryClient();
  const clear = useMutation({
    mutationFn: () => unwrap(client.POST("/api/v1/nodes/{id}/manage-again", { params: { path: { id } } })),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ["nodes"] });
      notify("good", `${name} accepts changes again. Deploy its policies to install them.`);
    },
  });
  return (
    <ConfirmButton
      size="compact-sm"
      isBusy={clear.isPending}
      title={`Manage ${name} again?`}
      consequence="The node accepts changes again. Nothing is installed until a policy is deployed again."
      action="Manage again"
      onConfirm={() => clear.mutate()}
    >
      Manage again
    </ConfirmButton>
  );
}
