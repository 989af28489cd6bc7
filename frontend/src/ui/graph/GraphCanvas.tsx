/**
 * An interactive graph for pointer and keyboard. Draws a scene and reports what was hovered, selected and opened.
 */
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from "react";
import type { Scheme } from "../ramp";
import { type CameraView, GraphEngine, WHOLE } from "./engine";
import { frameFor, type Size } from "./render/frame";
import classes from "./GraphCanvas.module.css";
import type { Point } from "./interaction/hit";
import type { PlacedLabel } from "./render/labelPlacement";
import { PALETTES } from "./render/palette";
import type { Hit, Scene } from "./scene";
import { isArrow, steer } from "./interaction/keyboard";
import type { View } from "./store";
import { pairsOf, type PlaceMemory, useLayout } from "./layout/useLayout";

interface Props {
  scene: Scene;
  scheme: Scheme;
  /** Accessible name. */
  label: string;
  selected: string | null;
  /** `byPointer`: clicked or tapped; else reached by an arrow key. */
  onSelect: (hit: Hit | null, byPointer: boolean) => void;
  onOpen: (hit: Hit) => void;
  /** Camera at the start and after external changes; null shows the whole graph. */
  camera: CameraView | null;
  onCamera: (camera: CameraView | null) => void;
  renderTip: (hit: Hit) => ReactNode;
  memory?: PlaceMemory;
  /** Key of an open group that the camera moves to when it changes. */
  reveal?: string | null;
}

const ZOOM_STEP = 1.5;
const PAN_SHARE = 0.2;

const reducedMotion = (): boolean => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

function sameCamera(one: CameraView, other: CameraView): boolean {
  return Math.abs(one.x - other.x) + Math.abs(one.y - other.y) + Math.abs(one.ratio - other.ratio) < 0.002;
}

export function GraphCanvas(props: Props) {
  const { scene, scheme, label, selected, onSelect, onOpen, camera, renderTip } = props;
  const stage = useRef<HTMLDivElement>(null);
  const paint = useRef<HTMLDivElement>(null);
  const engine = useRef<GraphEngine | null>(null);
  const latest = useRef(props);
  useLayoutEffect(() => {
    latest.current = props;
  });
  const size = useSize(stage);
  const layout = useLayout(scene, props.memory);
  const [hover, setHover] = useState<{ hit: Hit; at: Point } | null>(null);
  const [focused, setFocused] = useState<string | null>(null);

  const { lines, names } = useMemo(() => sizesOf(scene), [scene]);
  const frame = useMemo(() => {
    const labels = names
      .split("\n")
      .map((name) => ({ tier: Number(name.split(" ", 1)[0]), label: name.slice(name.indexOf(" ") + 1) }));
    return size && frameFor(layout, size, labels, lines);
  }, [layout, size, names, lines]);
  const view = useMemo<View | null>(
    () => frame && { scene, layout, frame, palette: PALETTES[scheme], scheme, selected },
    [scene, layout, frame, scheme, selected],
  );

  const publishLabels = useCallback((labels: readonly PlacedLabel[]) => {
    if (stage.current) stage.current.dataset["labels"] = String(labels.length);
  }, []);

  useEffect(() => {
    if (!view || !paint.current) return;
    if (engine.current) {
      engine.current.show(view, performance.now());
      return;
    }
    const messages = {
      onHover: (hit: Hit | null, at: Point) => setHover(hit && { hit, at }),
      onClick: (hit: Hit | null) => latest.current.onSelect(hit, true),
      onOpen: (hit: Hit) => latest.current.onOpen(hit),
      onCamera: (next: CameraView) => latest.current.onCamera(sameCamera(next, WHOLE) ? null : next),
      onLabels: publishLabels,
    };
    engine.current = new GraphEngine(paint.current, view, messages, !reducedMotion());
    engine.current.jump(latest.current.camera ?? WHOLE);
  }, [view, publishLabels]);

  useEffect(
    () => () => {
      engine.current?.kill();
      engine.current = null;
    },
    [],
  );

  useEffect(() => {
    const wanted = camera ?? WHOLE;
    if (engine.current && !sameCamera(engine.current.camera(), wanted)) engine.current.move(wanted);
  }, [camera]);

  useEffect(() => engine.current?.focus(focused), [focused]);

  const { boxes } = layout;
  const reveal = props.reveal ?? null;
  const isFramed = frame !== null;
  useEffect(() => {
    if (reveal !== null && isFramed && boxes.has(reveal)) engine.current?.reveal(reveal);
    // Only a group that is opened moves the camera, not a network that changes.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [reveal, isFramed, reveal !== null && boxes.has(reveal)]);

  const zoom = (factor: number): void => {
    const now = engine.current?.camera();
    if (now) engine.current?.move({ ...now, ratio: now.ratio * factor });
  };

  const walk = (event: KeyboardEvent): boolean => {
    const { key } = event;
    if (isArrow(key)) {
      const next = steer(layout.places, pairsOf(scene), focused, key);
      setFocused(next);
      if (next !== null) onSelect({ type: "node", key: next }, false);
    } else if (key === "Enter" && focused !== null) onOpen({ type: "node", key: focused });
    else if (key === "Escape") {
      setFocused(null);
      onSelect(null, false);
    } else if (key === "+" || key === "=") zoom(1 / ZOOM_STEP);
    else if (key === "-") zoom(ZOOM_STEP);
    else if (key === "0") engine.current?.move(WHOLE);
    else return false;
    return true;
  };

  const pan = (event: KeyboardEvent): boolean => {
    const now = engine.current?.camera();
    if (!event.shiftKey || !isArrow(event.key) || !now) return false;
    const by = PAN_SHARE * now.ratio;
    const [x, y] = { ArrowLeft: [-by, 0], ArrowRight: [by, 0], ArrowUp: [0, by], ArrowDown: [0, -by] }[
      event.key
    ] as [number, number];
    engine.current?.move({ ...now, x: now.x + x, y: now.y + y });
    return true;
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    if (pan(event) || walk(event)) event.preventDefault();
  };

  const spoken = scene.nodes.find((node) => node.key === focused)?.description ?? "";
  return (
    // An application in the sense of ARIA: it takes the arrow keys itself, so it must take the focus too.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={stage}
      className={classes.stage}
      role="application"
      aria-roledescription="network map"
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onKeyDown={onKeyDown}
      onBlur={() => setFocused(null)}
      data-nodes={scene.nodes.length}
      data-links={scene.links.length}
    >
      <div ref={paint} className={classes.paint} />
      <div className={classes.zoom}>
        <button type="button" aria-label="Zoom in" onClick={() => zoom(1 / ZOOM_STEP)}>
          +
        </button>
        <button type="button" aria-label="Zoom out" onClick={() => zoom(ZOOM_STEP)}>
          −
        </button>
        <button type="button" aria-label="Show the whole map" onClick={() => engine.current?.move(WHOLE)}>
          ⤢
        </button>
      </div>
      {hover && size && (
        <div className={classes.tip} style={tipPlace(hover.at, size)}>
          {renderTip(hover.hit)}
        </div>
      )}
      <div className="visually-hidden" aria-live="polite">
        {spoken}
      </div>
    </div>
  );
}

/**
 * What the frame depends on: the labels of the columns, and the number of lines between them. Members of open groups do not
 * count, so that opening one changes no size.
 */
function sizesOf({ nodes, links }: Scene): { lines: number; names: string } {
  const boxOf = new Map(nodes.map(({ key, box }) => [key, box]));
  const between = links.filter(({ source, target }) => {
    const box = boxOf.get(source) ?? null;
    return box === null || box !== boxOf.get(target);
  });
  const names = nodes
    .filter(({ key, box }) => box === null || box === key)
    .map(({ tier, label }) => `${tier} ${label}`);
  return { lines: between.length, names: names.join("\n") };
}

/** Next to the pointer, on the side with room. */
function tipPlace(at: Point, { width, height }: { width: number; height: number }): React.CSSProperties {
  const horizontal = at.x > width * 0.6 ? { right: width - at.x + 14 } : { left: at.x + 14 };
  return at.y > height * 0.6
    ? { ...horizontal, bottom: height - at.y + 14 }
    : { ...horizontal, top: at.y + 14 };
}

/** CSS px, whole numbers; null before the first measurement. */
function useSize(ref: RefObject<HTMLElement | null>): Size | null {
  const [size, setSize] = useState<Size | null>(null);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const measure = (): void => {
      const next = { width: element.offsetWidth, height: element.offsetHeight };
      setSize((old) => (old?.width === next.width && old.height === next.height ? old : next));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return size;
}
