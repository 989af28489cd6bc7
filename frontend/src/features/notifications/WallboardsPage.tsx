/** Wallboards of a site: screens that show it by a secret link, without a sign-in. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { may } from "@/api/permissions";
import { sessionQuery } from "@/api/queries";
import { useListPage } from "@/api/useListPage";
import {
  useRenewWallboard,
  useRevokeWallboard,
  wallboardsList,
  type NewWallboard,
  type Wallboard,
} from "@/api/wallboard/queries";
import { ListPage } from "./Header";
import classes from "./Notifications.module.css";
import { WallboardLink } from "./WallboardLink";
import { AgeStamp } from "@/ui/AgeStamp";
import { ButtonLink } from "@/ui/ButtonLink";
import { ConfirmButton } from "@/ui/confirm";
import { EmptyState } from "@/ui/ErrorState";
import type { StateName } from "@/ui/StateBadge";
import { StateLabel } from "@/ui/StateLabel";
import type { Column } from "@/ui/table/columns";
import { ListTable } from "@/ui/table/ListTable";
import { clock } from "@/util/time";
import { count } from "@/util/units";
import { wallboard as choices } from "@/util/spec.json";

const TONES: Record<Wallboard["state"], StateName> = {
  active: "ok",
  expired: "warning",
  revoked: "disabled",
};
const LABELS = new Map(choices.pages.map(({ value, label }) => [value, label]));

const pagesText = ({ pages, seconds }: Wallboard): string => {
  const names = pages.map((page) => LABELS.get(page) ?? page).join(", ");
  return pages.length === 1 ? names : `${names}, ${seconds} s each`;
};

const COLUMNS: readonly Column<Wallboard>[] = [
  { id: "name", sortable: true, header: "wallboard", value: ({ name }) => name },
  {
    id: "state",
    sortable: true,
    header: "state",
    value: ({ state }) => state,
    cell: ({ state }) => <StateLabel state={TONES[state]} label={state} />,
  },
  { id: "pages", header: "pages", value: pagesText, wide: true },
  {
    id: "used_at",
    sortable: true,
    header: "last used",
    value: ({ used_at }) => used_at,
    cell: ({ used_at }) =>
      used_at === null ? <span className="dim">never</span> : <AgeStamp at={used_at} suffix="ago" />,
  },
  {
    id: "expires_at",
    sortable: true,
    header: "expires",
    value: ({ expires_at }) => expires_at,
    cell: ({ expires_at }) =>
      expires_at === null ? <span className="dim">never</span> : clock(expires_at).slice(0, 16),
    wide: true,
  },
  { id: "created_by", header: "created by", value: ({ created_by }) => created_by, wide: true },
];

const actionsColumn = (onRenewed: (wallboard: NewWallboard) => void): Column<Wallboard> => ({
  id: "actions",
  header: "actions",
  value: () => "",
  cell: (board) => <Actions board={board} onRenewed={onRenewed} />,
});

const headlineOf = (boards: readonly Wallboard[]): string => {
  const active = boards.filter(({ state }) => state === "active").length;
  return active === 0 ? "No active wallboards." : `${count(active, "active wallboard")}.`;
};

export function WallboardsPage() {
  const { data: person } = useQuery(sessionQuery);
  const mayEdit = may.editWallboards(person);
  const [renewed, setRenewed] = useState<NewWallboard | null>(null);
  const list = useListPage(wallboardsList, { columns: COLUMNS, sort: "name", filters: { state: "" } });
  const create = mayEdit && (
    <ButtonLink href="/notifications/wallboards/new" variant="filled">
      New wallboard
    </ButtonLink>
  );
  return (
    <ListPage list="wallboards" headline={list.headline(headlineOf)} controls={create}>
      {renewed !== null && <WallboardLink wallboard={renewed} />}
      <ListTable
        list={list}
        label="Wallboards"
        noun="wallboards"
        columns={mayEdit ? [...COLUMNS, actionsColumn(setRenewed)] : COLUMNS}
        rowKey={({ id }) => id}
        search="Search by name"
        filters={[
          {
            name: "state",
            label: "State",
            choices: [
              { value: "", label: "all states" },
              ...Object.keys(TONES).map((state) => ({ value: state, label: state })),
            ],
          },
        ]}
        none={
          <EmptyState title="No wallboards.">
            {mayEdit
              ? "Create a wallboard and open its link on the screen of the control room."
              : "An operator creates wallboards: screens that show this site by a secret link."}
          </EmptyState>
        }
      />
    </ListPage>
  );
}

interface ActionsProps {
  board: Wallboard;
  onRenewed: (wallboard: NewWallboard) => void;
}

function Actions({ board: { id, name, state }, onRenewed }: ActionsProps) {
  const renew = useRenewWallboard(onRenewed);
  const revoke = useRevokeWallboard();
  if (state === "revoked") return null;
  return (
    <span className={classes.row}>
      <ButtonLink href={`/notifications/wallboards/${id}/edit`} size="compact-xs">
        Edit
      </ButtonLink>
      <ConfirmButton
        size="compact-xs"
        isBusy={renew.isPending}
        title={`Make a new link for ${name}?`}
        consequence="The current link stops working at once: open the new one on each screen."
        action="Make a new link"
        onConfirm={() => renew.mutate(id)}
      >
        New link
      </ConfirmButton>
      <ConfirmButton
        size="compact-xs"
        isBusy={revoke.isPending}
        title={`Revoke ${name}?`}
        consequence="Its screens go dark at once. A revoked wallboard cannot be restored."
        action="Revoke wallboard"
        onConfirm={() => revoke.mutate(id)}
      >
        Revoke
      </ConfirmButton>
    </span>
  );
}
