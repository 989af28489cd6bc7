/**
 * A small, static graph as plain SVG: pages with a small map load no drawing library and need no WebGL.
 */

import type { Scheme } from "../ramp";
import { frameFor, toGraph, type Frame } from "./render/frame";
import { shifted, type Point } from "./interaction/hit";
import { linkStyle, nodeStyle } from "./render/styles";
import { type Palette, PALETTES } from "./render/palette";
import { sideways } from "./layout/parallels";
import type { Glyph, Scene, SceneLink, SceneNode } from "./scene";
import { useLayout } from "./layout/useLayout";

interface Props {
  scene: Scene;
  scheme: Scheme;
  label: string;
  width: number;
  height: number;
}

export function StaticGraph({ scene, scheme, label, width, height }: Props) {
  const layout = useLayout(scene);
  const frame = frameFor(layout, { width, height }, scene.nodes, scene.links.length);
  const palette = PALETTES[scheme];
  const shifts = sideways(scene.links);
  const places = new Map(
    scene.nodes.map((node) => {
      const { x, y } = toGraph(layout.places.get(node.key) ?? { x: 0.5, y: 0.5 }, frame);
      return [node.key, { x, y: frame.height - y }];
    }),
  );
  const named = layout.rows <= Math.floor(height / 17);
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      width="100%"
      role="img"
      aria-label={label}
      data-nodes={scene.nodes.length}
      data-links={scene.links.length}
    >
      {scene.links.map((link) => {
        const [from, to] = [places.get(link.source), places.get(link.target)];
        if (!from || !to) return null;
        const line = shifted(from, to, (shifts.get(link.key) ?? 0) * frame.lineScale);
        return (
          <Line key={link.key} link={link} line={line} palette={palette} scheme={scheme} frame={frame} />
        );
      })}
      {scene.nodes.map((node) => {
        const at = places.get(node.key);
        return (
          at && (
            <Dot
              key={node.key}
              node={node}
              at={at}
              palette={palette}
              frame={frame}
              named={named}
              align={alignOf(node, layout.tierX)}
            />
          )
        );
      })}
    </svg>
  );
}

function alignOf(node: SceneNode, tierX: ReadonlyMap<number, number>): "start" | "middle" | "end" {
  const tiers = [...tierX.keys()];
  if (node.tier === tiers[0]) return "end";
  return node.tier === tiers.at(-1) ? "start" : "middle";
}

interface LineProps {
  link: SceneLink;
  line: { from: Point; to: Point };
  palette: Palette;
  scheme: Scheme;
  frame: Frame;
}

function Line({ link, line: { from, to }, palette, scheme, frame }: LineProps) {
  const style = linkStyle(link, palette, scheme, frame.lineScale);
  const width = Math.max(2, style.width * 0.8);
  const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  const dashes = {
    active: undefined,
    standby: `0.1 ${width * 2}`,
    standby_dead: `0.1 ${width * 2}`,
    dead: undefined,
    down: `${width * 2} ${width * 1.4}`,
    unknown: `${width} ${width * 0.6}`,
  }[link.stroke];
  const cap = link.stroke === "standby" || link.stroke === "standby_dead" ? "round" : "butt";
  const stroke = (start: Point, end: Point, colour: string, px: number) => (
    <line
      x1={start.x}
      y1={start.y}
      x2={end.x}
      y2={end.y}
      stroke={colour}
      strokeWidth={px}
      strokeDasharray={dashes}
      strokeLinecap={cap}
    />
  );
  return (
    <g opacity={style.alpha} data-link-key={link.key}>
      <title>{link.description}</title>
      {stroke(from, to, style.outline, width + 2)}
      {stroke(from, middle, style.forward, width)}
      {stroke(to, middle, style.back, width)}
    </g>
  );
}

interface DotProps {
  node: SceneNode;
  at: Point;
  palette: Palette;
  frame: Frame;
  named: boolean;
  align: "start" | "middle" | "end";
}

const SHAPES: Readonly<Record<Glyph, readonly [number, number, number]>> = {
  host: [0.92, 0.92, 0.26],
  switch: [1.2, 0.72, 0.2],
  router: [1, 1, 1],
  gateway: [1, 1, 0.45],
  fabric: [0.6, 1.45, 0.58],
  group: [0.95, 0.95, 0.22],
};

function Dot({ node, at: { x, y }, palette, frame, named, align }: DotProps) {
  const style = nodeStyle(node, palette, frame.scale);
  const [across, down, corner] = SHAPES[node.glyph].map((share) => share * style.radius) as [
    number,
    number,
    number,
  ];
  const dx = { start: across + 5, middle: 0, end: -across - 5 }[align];
  return (
    <g>
      <title>{node.description}</title>
      <rect
        x={x - across}
        y={y - down}
        width={across * 2}
        height={down * 2}
        rx={corner}
        fill={style.fill}
        stroke={style.border}
        strokeWidth={1.6}
      />
      {node.badge > 0 && <circle cx={x + across} cy={y - down} r={4} fill={palette.tone.critical} />}
      {named && (
        <text
          x={x + dx}
          y={align === "middle" ? y + down + 13 : y + 4}
          textAnchor={align}
          fontSize={11.5}
          fill={palette.text}
        >
          {node.label}
        </text>
      )}
    </g>
  );
}
