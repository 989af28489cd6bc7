/** A mesh as a grid of senders (rows) and receivers (columns), with suspected endpoints. */
import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { useParams } from "react-router";
import { useParam } from "@/api/scope";
import { testGridQuery, type GridCell, type TestGrid } from "@/api/throughput";
import { pairsOf, GLYPHS, gridHeat, DEVIATIONS } from "./grid";
import classes from "./Tests.module.css";
import { verdictLabel, stateLabel } from "./labels";
import { HeatTable } from "./HeatTable";
import { RampLegend } from "./RampLegend";
import { AgeStamp } from "@/ui/AgeStamp";
import { Anchor } from "@/ui/Anchor";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { ButtonLink } from "@/ui/ButtonLink";
import { Facts, type Fact } from "@/ui/Facts";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { percent, rate } from "@/util/units";

export function GridPage() {
  const id = Number(useParams().id);
  const grid = useQuery(testGridQuery(id));
  return (
    <QueryBoundary query={grid} what="this grid" page="Test grid">
      {(data) => <Details grid={data} />}
    </QueryBoundary>
  );
}

function Details({ grid }: { grid: TestGrid }) {
  const [pair, setPair] = useParam("pair", "");
  const pairs = useMemo(() => pairsOf(grid.cells), [grid.cells]);
  const [sender = "", receiver = ""] = pair.split("~");
  const toggle = useCallback((next: string) => setPair(next === pair ? "" : next), [setPair, pair]);
  return (
    <>
      <PageHeader title={`Grid: ${grid.name}`} headline={grid.sentence}>
        <div className={classes.row}>
          <ButtonLink href={`/tests/runs/${grid.run}`}>Run</ButtonLink>
          <ButtonLink href={`/tests/plans/${grid.plan_id}`}>Plan</ButtonLink>
        </div>
      </PageHeader>
      <div className={classes.page} data-testid="grid">
        <div className={classes.pair}>
          <Panel
            title="Rate from row to column"
            aside={
              <span className="dim">
                typical {rate(grid.usual)}, <AgeStamp at={grid.since} suffix="ago" />
              </span>
            }
          >
            <GridTable grid={grid} selected={pair} onSelect={toggle} />
          </Panel>
          <div className={`${classes.page} ${classes.why}`}>
            {pairs.has(pair) && (
              <Panel title={`${sender} and ${receiver}`}>
                <Facts facts={pairFacts(grid, pairs, sender, receiver)} />
              </Panel>
            )}
            <Panel title="Suspected endpoints">
              {grid.suspects.length === 0 ? (
                <p>None: every pair is close to the typical rate.</p>
              ) : (
                <ul className={classes.suspects} aria-label="Suspects">
                  {grid.suspects.map(({ host, side, peer, sentence }) => (
                    <li key={`${host} ${side} ${peer}`} className={classes.bad}>
                      {sentence}
                    </li>
                  ))}
                </ul>
              )}
            </Panel>
          </div>
        </div>
      </div>
    </>
  );
}

function pairFacts(
  grid: TestGrid,
  pairs: ReadonlyMap<string, GridCell>,
  sender: string,
  receiver: string,
): Fact[] {
  const pairFact = (from: string, to: string): Fact => {
    const cell = pairs.get(`${from}~${to}`);
    const text =
      cell === undefined
        ? "not tested"
        : cell.rate === null
          ? stateLabel(cell.states.at(-1) ?? "").text
          : `${rate(cell.rate)}, ${percent(grid.usual > 0 ? cell.rate / grid.usual : null)} of typical${cell.verdict === "" ? "" : `, ${verdictLabel(cell.verdict).text}`}`;
    return [
      `${from} → ${to}`,
      cell?.cells[0] === undefined ? (
        text
      ) : (
        <Anchor key={to} href={`/tests/runs/${grid.run}?cell=${cell.cells[0]}`}>
          {text}
        </Anchor>
      ),
    ];
  };
  return [pairFact(sender, receiver), pairFact(receiver, sender)];
}

interface Props {
  grid: TestGrid;
  /** `sender~receiver`, or empty. */
  selected: string;
  onSelect: (pair: string) => void;
}

/** The n x n table of a mesh: rates, coloured by their share of the typical rate, with a glyph of the deviation. */
function GridTable({ grid, selected, onSelect }: Props) {
  const heat = useMemo(() => gridHeat(grid), [grid]);
  return (
    <>
      <HeatTable label={`Grid of ${grid.name}`} heat={heat} selected={selected} onSelect={onSelect} />
      <RampLegend title={`Colour: % of the typical ${rate(grid.usual)}`}>
        <ul className={classes.signs} aria-label="Glyphs">
          {DEVIATIONS.map((deviation) => (
            <li key={deviation}>
              <b aria-hidden="true">{GLYPHS[deviation]}</b> {deviation}
            </li>
          ))}
        </ul>
      </RampLegend>
    </>
  );
}
