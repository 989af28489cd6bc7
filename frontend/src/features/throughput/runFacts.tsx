/** What stands above a run's matrix: who, over what, with what, how much of it, by whom and when. */
import type { TestRunDetail } from "@/api/throughput";
import type { Matrix } from "./matrix";
import { describeEnds, KIND_LABELS, formatBytes, SHAPE_LABELS } from "./labels";
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
    fact("ends", describeEnds(run)),
    kind === undefined
      ? null
      : [
          "test",
          `${KIND_LABELS[kind]}${source === "paper" || shape === "pair" ? "" : `, ${SHAPE_LABELS[shape] ?? shape}`}`,
        ],
    fact("over", asked.fabric),
    windows.length === 1 && windows[0] != null ? ["window", formatBytes(windows[0])] : null,
    fact("of each", asked.effort),
    ["usable", matrix.isUsableKnown ? rate(matrix.full) : "not known"],
    best === 0 ? null : ["best cell", rate(best)],
    [
      "cells",
      `${grouped(cells_over)} of ${grouped(cells_total)} cells done${cells_bad === 0 ? "" : `, ${cells_bad} of them without a figure`}`,
    ],
    began_at === null ? null : ["began", clock(began_at)],
    began_at === null || ended_at === null
      ? null
      : ["took", duration((Date.parse(ended_at) - Date.parse(began_at)) / 1000)],
    source === "paper" ? null : ["asked by", person === "" ? "its timetable" : person],
    fact("data from", source === "lab" ? "the lab" : ""),
    citation === null ? null : ["from", <cite key="cite">{citation.cite}</cite>],
    citation === null ? null : ["its table", `${citation.figure}. ${citation.about}.`],
  ];
  return facts.filter((one) => one !== null);
}

const fact = (term: string, words: string): Fact | null => (words === "" ? null : [term, words]);

/** Parts of the plan as it was, as far as they are there: a run may be older than a field. */
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
