/** Age of a time, with the exact time as tooltip. */
import { useClock } from "@/ui/useClock";
import { clock } from "@/util/time";
import { duration, NONE } from "@/util/units";

/** `at` RFC 3339; `suffix` follows the age, e.g. `ago`. */
export function AgeStamp({ at, suffix = "" }: { at: string | null | undefined; suffix?: string }) {
  const now = useClock();
  if (at == null) return <span className="dim">{NONE}</span>;
  const age = Math.max(0, Math.round((now - Date.parse(at)) / 1000));
  return (
    <time className="num" dateTime={at} title={clock(at)}>
      {duration(age)}
      {suffix === "" ? "" : ` ${suffix}`}
    </time>
  );
}
