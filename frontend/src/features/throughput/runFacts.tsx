/** Facts of a run: endpoints, test, effort, requester and times. */
import type { TestRunDetail } from "@/api/throughput";
import type { Matrix } from "./matrix";
import { describeEnds, formatBytes, SHAPE_LABELS } from "./labels";
import { kindLabel } from "./testKinds";
import type { Fact } from "@/ui/Facts";
import { clock } from "@/util/time";
import { duration, grouped, rate } from "@/util/units";

export function runFacts(run: TestRunDetail, matrix: Matrix): Fact[] {
  const { cells, citation, cells_total, cells_over, cells_bad, person, began_at, ended_at, source, shape } =
    run;
  const asked = requestedOf(run);
  const kind = cells[0]?.parameters.kind;
  const windows = [...new Set(cells.map(({ parameters }) => parameters.window))];
  const best = Math.max(0, ...cells.map((cell) => cell.rate ?? 0));
  const facts: (Fact | null)[] = [
    fact("endpoints", describeEnds(run)),
    kind === undefined
      ? null
      : [
          "test",
          `${kindLabel(kind)}${source === "paper" || shape === "pair" ? "" : `, ${SHAPE_LABELS[shape] ?? shape}`}`,
        ],
    fact("fabric", asked.fabric),
    windows.length === 1 && windows[0] != null ? ["window", formatBytes(windows[0])] : null,
    fact("per cell", asked.effort),
    ["usable rate", matrix.isUsableKnown ? rate(matrix.full) : "unknown"],
    best === 0 ? null : ["best cell", rate(best)],
    [
      "cells",
      `${grouped(cells_over)} of ${grouped(cells_total)} cells done${cells_bad === 0 ? "" : `, ${cells_bad} without a result`}`,
    ],
    began_at === null ? null : ["start", clock(began_at)],
    began_at === null || ended_at === null
      ? null
      : ["duration", duration((Date.parse(ended_at) - Date.parse(began_at)) / 1000)],
    source === "paper" ? null : ["started by", person === "" ? "schedule" : person],
    fact("source", source === "lab" ? "the lab" : ""),
    citation === null ? null : ["paper", <cite key="cite">{citation.cite}</cite>],
    citation === null ? null : ["table", `${citation.figure}. ${citation.about}.`],
  ];
  return facts.filter((one) => one !== null);
}

const fact = (term: string, text: string): Fact | null => (text === "" ? null : [term, text]);

/** Parts of the requested plan; an old run may lack newer fields. */
function requestedOf({ asked }: TestRunDetail): { fabric: string; effort: string } {
  const matrix = (typeof asked.matrix === "object" && asked.matrix !== null ? asked.matrix : {}) as Record<
    string,
    unknown
  >;
  const number = (name: string) => (typeof matrix[name] === "number" ? matrix[name] : null);
  const parts = [
    number("amount") === null ? "" : formatBytes(number("amount")),
    number("duration_s") === null ? "" : duration(number("duration_s")),
    number("count") === null ? "" : grouped(number("count")),
  ];
  return {
    fabric: typeof asked.fabric === "string" ? asked.fabric : "",
    effort: parts.filter(Boolean).join(" or "),
  };
}
