/** The canvas: one uPlot that new data reuses; recreated when theme, axis or range change. */
import { useEffect, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import classes from "@/ui/chart/Chart.module.css";
import { options, palette, type Handlers } from "@/ui/chart/options";
import { columns, type Axis, type BidirectionalSeries } from "@/ui/chart/shape";
import { useScheme } from "@/ui/useScheme";

/** Pixels left of the plot area: the rate axis. */
export const PLOT_LEFT = 80;

interface Props extends Handlers {
  data: BidirectionalSeries;
  axis: Axis;
  span: { start: number; end: number };
  height: number;
  /** Double click. */
  onBack: () => void;
  /** Text alternative of the chart. */
  description: string;
}

/** Recreated when the theme changes, because its colours are CSS variables. */
export function Plot(props: Props) {
  return <Canvas key={useScheme()} {...props} />;
}

function Canvas({ data, axis, span, height, onBrush, onHover, onBack, description }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const latest = useRef({ data, span, onBrush, onHover, onBack });

  useEffect(() => {
    latest.current = { data, span, onBrush, onHover, onBack };
    plot.current?.setData(columns(data));
  }, [data, span, onBrush, onHover, onBack]);

  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const made = new uPlot(
      options(
        () => latest.current.data,
        axis,
        () => latest.current.span,
        palette(element),
        { width: element.clientWidth, height },
        {
          onBrush: (start, end) => latest.current.onBrush(start, end),
          onHover: (index) => latest.current.onHover(index),
        },
      ),
      columns(latest.current.data),
      element,
    );
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    const goBack = () => latest.current.onBack();
    element.addEventListener("dblclick", goBack);
    return () => {
      element.removeEventListener("dblclick", goBack);
      observer.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [axis, height]);

  return (
    <div
      ref={box}
      className={classes.plot}
      role="img"
      aria-label={description}
      data-capacity={data.capacity}
      data-points={data.up.mean.filter((figure) => figure !== null).length}
    />
  );
}
