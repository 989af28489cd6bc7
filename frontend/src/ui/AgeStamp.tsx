/** Age of a time, with the exact time as tooltip. */
import { useClock } from "@/ui/useClock";
import { clock } from "@/util/time";
import { duration, NONE } from "@/util/units";

interface Props {
  /** RFC 3339. */
  at: string | null | undefined;
  /** Follows the age, e.g. `ago`. */
  suffix?: string;
  /** The moment of the age, RFC 3339; by default now. */
  asOf?: string | undefined;
}

export function AgeStamp({ at, suffix = "", asOf }: Props) {
  const clockNow = useClock();
  const now = asOf === undefined ? clockNow : Date.parse(asOf);
  if (at == null) return <span className="dim">{NONE}</span>;
  const age = Math.max(0, Math.round((now - Date.parse(at)) / 1000));
  return (
    <time className="num" dateTime={at} title={clock(at)}>
      {duration(age)}
      {suffix === "" ? "" : ` ${suffix}`}
    </time>
  );
}
