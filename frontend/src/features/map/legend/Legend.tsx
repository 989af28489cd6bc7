/** Legend of the map: load colours, line styles, widths and symbols. */

import { factSpec } from "@/ui/FactMark";
import { PALETTES } from "@/ui/graph/render/palette";
import type { Glyph, Stroke } from "@/ui/graph/scene";
import { widthStep, type WidthStep } from "@/ui/graph/render/width";
import { rampSpans, type Scheme } from "@/ui/ramp";
import type { MapModel } from "../mapModel";
import classes from "./Legend.module.css";
import { rules, STROKE_LABELS } from "../rules";

interface Props {
  scheme: Scheme;
  model: MapModel;
  rateScale: number;
}

const STROKES: readonly Stroke[] = ["active", "standby", "standby_dead", "dead", "down", "unknown"];
/** Mark in the middle of a line of that style. */
const SIGNS: Readonly<Partial<Record<Stroke, string>>> = {
  standby_dead: factSpec("link_use", "standby_dead").glyph,
  dead: factSpec("link_use", "dead").glyph,
  down: factSpec("carrier", "down").glyph,
  unknown: factSpec("carrier", "unknown").glyph,
};
const GLYPH_LABELS: Readonly<Record<Glyph, string>> = {
  host: "host",
  switch: "switch",
  router: "router",
  gateway: "gateway",
  fabric: "fabric",
  group: "group",
};

export function Legend({ scheme, model, rateScale }: Props) {
  const glyphs = [...new Set(model.nodes.map(rules.glyph))];
  const steps = [
    ...new Map(
      model.links.map((link) => widthStep(link.usableRate / rateScale)).map((step) => [step.from, step]),
    ).values(),
  ];
  return (
    <section className={classes.legend} aria-label="Legend">
      <Part title="Utilisation %">
        <ol className={classes.ramp}>
          {rampSpans(scheme).map(({ label, colour }) => (
            <li key={label}>
              <i style={{ background: colour }} />
              {label}
            </li>
          ))}
        </ol>
      </Part>
      <Part title="Line">
        {STROKES.map((stroke) => (
          <Sample key={stroke} stroke={stroke} scheme={scheme} />
        ))}
      </Part>
      <Part title={rateScale === 1 ? "Capacity" : "Real capacity"}>
        {steps
          .toSorted((a, b) => a.from - b.from)
          .map((step) => (
            <Width key={step.from} step={step} />
          ))}
      </Part>
      <Part title="Node">
        {glyphs.map((glyph) => (
          <span key={glyph} className={classes.item}>
            <Shape glyph={glyph} />
            {GLYPH_LABELS[glyph]}
          </span>
        ))}
        <span className={classes.item}>
          <i className={classes.halo} style={{ background: PALETTES[scheme].halo }} />
          changed in the last 15 min
        </span>
        <span className={classes.item}>
          <i className={classes.badge}>2</i>incidents
        </span>
      </Part>
    </section>
  );
}

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div className={classes.part}>
      <span className={classes.title}>{title}</span>
      {children}
    </div>
  );
}

function Sample({ stroke, scheme }: { stroke: Stroke; scheme: Scheme }) {
  const palette = PALETTES[scheme];
  const colour = {
    active: palette.muted,
    standby: palette.muted,
    standby_dead: palette.tone.warning,
    dead: palette.tone.critical,
    down: palette.tone.critical,
    unknown: palette.unknownFill,
  }[stroke];
  const dashes = {
    active: undefined,
    standby: "0.1 8",
    standby_dead: "0.1 8",
    dead: undefined,
    down: "6 4",
    unknown: "2 2",
  }[stroke];
  return (
    <span className={classes.item}>
      <svg width={30} height={8} aria-hidden="true">
        <line
          x1={3}
          y1={4}
          x2={27}
          y2={4}
          stroke={colour}
          strokeWidth={5}
          strokeDasharray={dashes}
          strokeLinecap={stroke.startsWith("standby") ? "round" : "butt"}
        />
      </svg>
      {SIGNS[stroke] !== undefined && <span aria-hidden="true">{SIGNS[stroke]}</span>}
      {STROKE_LABELS[stroke]}
    </span>
  );
}

const SHAPES: Readonly<Record<Glyph, React.ReactNode>> = {
  host: <rect x={2} y={2} width={12} height={12} rx={3} />,
  switch: <rect x={0.8} y={4} width={14.4} height={8} rx={2} />,
  router: <circle cx={8} cy={8} r={6.4} />,
  gateway: <path d="M4 1.6h8L15.4 8 12 14.4H4L.6 8z" />,
  fabric: <rect x={4.8} y={0.8} width={6.4} height={14.4} rx={3.2} />,
  group: (
    <path d="M1 3a2 2 0 0 1 2-2h7a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2H3a2 2 0 0 1-2-2zM12 4.500h1a2 2 0 0 1 2 2V13a2 2 0 0 1-2 2H6.500a2 2 0 0 1-2-2v-1" />
  ),
};

function Shape({ glyph }: { glyph: Glyph }) {
  return (
    <svg
      width={16}
      height={16}
      viewBox="0 0 16 16"
      fill="var(--sunken)"
      stroke="var(--text-2)"
      strokeWidth={1.5}
      aria-hidden="true"
    >
      {SHAPES[glyph]}
    </svg>
  );
}

function Width({ step }: { step: WidthStep }) {
  return (
    <span className={classes.item}>
      <svg width={18} height={16} aria-hidden="true">
        <line x1={0} y1={8} x2={18} y2={8} stroke="var(--line-strong)" strokeWidth={step.width} />
      </svg>
      {step.label}
    </span>
  );
}
