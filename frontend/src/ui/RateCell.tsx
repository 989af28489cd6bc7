/** A rate with its utilisation and a bar; hatched when not current. */
import classes from "@/ui/RateCell.module.css";
import { rampColour } from "@/ui/ramp";
import { useScheme } from "@/ui/useScheme";
import { NONE, percent, rate } from "@/util/units";

interface Props {
  /** bit/s; null without data. */
  bps: number | null | undefined;
  /** 0..1 of the usable rate. */
  utilisation: number | null | undefined;
  /** False when the value is older than two intervals. */
  fresh?: boolean;
  /** Also shows the percentage. */
  withShare?: boolean;
}

export function RateCell({ bps, utilisation, fresh = true, withShare = true }: Props) {
  if (bps == null) {
    return (
      <span className={classes.cell} title="No data reported">
        <span className="dim">{NONE}</span>
        <span className={`${classes.track} hatched`} />
      </span>
    );
  }
  return (
    <span className={classes.cell} data-fresh={fresh} title={fresh ? undefined : "Older than two intervals"}>
      <span className={`num ${classes.figures}`}>
        {withShare && <span className={classes.share}>{percent(utilisation)}</span>}
        <span>{rate(bps)}</span>
      </span>
      <UtilisationBar utilisation={utilisation} fresh={fresh} />
    </span>
  );
}

/** A bar of the utilisation in the colour of the ramp. */
export function UtilisationBar({
  utilisation,
  fresh = true,
}: {
  utilisation: number | null | undefined;
  fresh?: boolean;
}) {
  const scheme = useScheme();
  const share = Math.min(1, Math.max(0, utilisation ?? 0));
  return (
    <span className={`${classes.track} ${fresh && utilisation != null ? "" : "hatched"}`} aria-hidden="true">
      {fresh && (
        <span
          className={classes.fill}
          style={{ width: `${share * 100}%`, background: rampColour(share, scheme) }}
        />
      )}
    </span>
  );
}
