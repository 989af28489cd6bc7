/** What the map's marks mean, always beside it: fill, line, width, signs. */

import { PALETTES } from "@/ui/graph/palette";
import type { Glyph, Stroke } from "@/ui/graph/scene";
import { widthStep, type WidthStep } from "@/ui/graph/width";
import { rampSpans, type Scheme } from "@/ui/ramp";
import type { Drawn } from "./drawn";
import classes from "./Legend.module.css";
import { rules, STROKE_WORDS } from "./rules";

interface Props {
  scheme: Scheme;
  drawn: Drawn;
  rateScale: number;
}

const STROKES: readonly Stroke[] = ["active", "standby", "down", "unknown"];
const GLYPH_WORDS: Readonly<Record<Glyph, string>> = {
  host: "host", switch: "switch", router: "router", gateway: "gateway", fabric: "fabric", group: "group",
};

export function Legend({ scheme, drawn, rateScale }: Props) {
  const glyphs = [...new Set(drawn.nodes.map(rules.glyph))];
  const steps = [...new Map(drawn.links.map((link) => widthStep(link.usableRate / rateScale)).map((step) => [step.from, step])).values()];
  return (
    <section className={classes.legend} aria-label="Legend">
      <Part title="% used">
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
        {STROKES.map((stroke) => <Sample key={stroke} stroke={stroke} scheme={scheme} />)}
      </Part>
      <Part title={rateScale === 1 ? "Capacity" : "Real capacity"}>
        {steps.toSorted((a, b) => a.from - b.from).map((step) => <Width key={step.from} step={step} />)}
      </Part>
      <Part title="Node">
        {glyphs.map((glyph) => <span key={glyph} className={classes.item}><i className={classes[glyph]} />{GLYPH_WORDS[glyph]}</span>)}
        <span className={classes.item}><i className={classes.halo} />changed in 15 min</span>
        <span className={classes.item}><i className={classes.badge}>2</i>incidents</span>
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
  const colour = { active: palette.muted, standby: palette.muted, down: palette.tone.critical, unknown: palette.unknownFill }[stroke];
  const dashes = { active: undefined, standby: "0.1 8", down: "6 4", unknown: "2 2" }[stroke];
  return (
    <span className={classes.item}>
      <svg width={30} height={8} aria-hidden="true">
        <line x1={3} y1={4} x2={27} y2={4} stroke={colour} strokeWidth={5} strokeDasharray={dashes} strokeLinecap={stroke === "standby" ? "round" : "butt"} />
      </svg>
      {STROKE_WORDS[stroke]}
    </span>
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
