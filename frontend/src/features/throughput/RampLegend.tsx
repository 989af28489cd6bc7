/** Legend of the utilisation ramp, in per cent. */
import type { ReactNode } from "react";
import classes from "./HeatTable.module.css";
import { rampStyle } from "./ramp";
import { rampSpans } from "@/ui/ramp";
import { useScheme } from "@/ui/useScheme";

export function RampLegend({ title, children }: { title: string; children?: ReactNode }) {
  const scheme = useScheme();
  return (
    <div className={classes.legend}>
      <span>{title}</span>
      <ol className={classes.ramp} style={rampStyle(scheme)} aria-label="Colour scale (%)">
        {rampSpans(scheme).map(({ label }, at) => (
          <li key={label} data-use={at} className="num">
            {label}
          </li>
        ))}
      </ol>
      {children}
    </div>
  );
}
