/** Exports of history: progress, gaps and files. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { client, unwrap } from "@/api/client";
import { exportsList, isWorking, type Export } from "@/api/storage";
import { useListPage } from "@/api/useListPage";
import { exportsHeadline, FORMATS, LEVELS, progressText, toneOf } from "./exports";
import { AgeStamp } from "@/ui/AgeStamp";
import { ConfirmButton } from "@/ui/confirm";
import { EmptyState } from "@/ui/ErrorState";
import { notify } from "@/ui/notify";
import { PageHeader } from "@/ui/PageHeader";
import { StateLabel } from "@/ui/StateLabel";
import { ListTable } from "@/ui/table/ListTable";
import type { Column } from "@/ui/table/columns";
import { clock } from "@/util/time";
import { byteSize, grouped } from "@/util/units";

const labelOf = (choices: readonly { value: string; label: string }[], value: string): string =>
  choices.find((choice) => choice.value === value)?.label ?? value;

const COLUMNS: readonly Column<Export>[] = [
  { id: "selection", header: "selection", value: ({ selection }) => selection },
  {
    id: "range",
    header: "time range",
    value: ({ start, end }) => `${start} to ${end}`,
    cell: ({ start, end }) => `${clock(start)} to ${clock(end)}`,
    wide: true,
  },
  { id: "level", header: "level", value: ({ level }) => labelOf(LEVELS, level), wide: true },
  { id: "format", header: "format", value: ({ format }) => labelOf(FORMATS, format) },
  {
    id: "state",
    sortable: true,
    header: "state",
    value: ({ state }) => state,
    cell: (row) => (
      <StateLabel
        state={toneOf(row)}
        label={isWorking(row) ? `${row.state}, ${progressText(row)}` : row.state}
      />
    ),
  },
  {
    id: "text",
    header: "status",
    value: ({ text }) => text,
    cell: ({ text, gaps }) => <span title={gaps.map((gap) => gap.text).join("\n")}>{text}</span>,
    wide: true,
  },
  {
    id: "rows",
    sortable: true,
    header: "rows",
    align: "right",
    value: ({ rows }) => rows,
    cell: ({ rows }) => grouped(rows),
    wide: true,
  },
  {
    id: "bytes",
    sortable: true,
    header: "size",
    csvHeader: "size (bytes)",
    align: "right",
    value: ({ bytes }) => bytes,
    cell: ({ bytes }) => byteSize(bytes),
    wide: true,
  },
  { id: "by", sortable: true, header: "by", value: ({ by }) => by, wide: true },
  {
    id: "created",
    sortable: true,
    header: "age",
    csvHeader: "created",
    value: ({ created_at }) => created_at,
    cell: ({ created_at }) => <AgeStamp at={created_at} />,
    wide: true,
  },
  {
    id: "download",
    header: "file",
    value: ({ download }) => download,
    cell: ({ download, filename }) =>
      download === null ? (
        ""
      ) : (
        <a href={download} download={filename}>
          Download<span className="visually-hidden"> {filename}</span>
        </a>
      ),
  },
  {
    id: "delete",
    header: "",
    isControl: true,
    value: () => null,
    cell: (row) => (row.can_delete ? <Delete row={row} /> : ""),
  },
];

export function ExportsPage() {
  const list = useListPage(exportsList, { columns: COLUMNS, sort: "-created" });
  return (
    <>
      <PageHeader title="Exports" headline={list.headline(exportsHeadline)} />
      <ListTable
        list={list}
        label="Exports"
        noun="exports"
        columns={COLUMNS}
        rowKey={({ id }) => id}
        search="Search by user"
        none={
          <EmptyState title="No exports yet.">
            Export the history of links on the page Links, or of one link on its own page.
          </EmptyState>
        }
      />
    </>
  );
}

function Delete({ row }: { row: Export }) {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => unwrap(client.DELETE("/api/v1/exports/{id}", { params: { path: { id: row.id } } })),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ["exports"] });
      notify("good", `Deleted ${row.filename}.`);
    },
  });
  const action = isWorking(row) ? "Cancel export" : "Delete export";
  return (
    <ConfirmButton
      size="compact-xs"
      isBusy={remove.isPending}
      title={`${action} ${row.filename}?`}
      consequence="Its file is removed. The stored history stays, and can be exported again."
      action={action}
      onConfirm={() => remove.mutate()}
    >
      {isWorking(row) ? "Cancel" : "Delete"}
      <span className="visually-hidden"> {row.filename}</span>
    </ConfirmButton>
  );
}
