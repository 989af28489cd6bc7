/** How long ago, in words that grow, with the exact time on hover. */
import { useNow } from "@/ui/useNow";
import { clock } from "@/util/time";
import { duration, NONE } from "@/util/units";

/** `at` RFC 3339; `suffix` follows the figure, e.g. `ago`. */
export function AgeStamp({ at, suffix = "" }: { at: string | null | undefined; suffix?: string }) {
  const now = useNow();
  if (at == null) return <span className="dim">{NONE}</span>;
  const age = Math.max(0, (now - Date.parse(at)) / 1000);
  return (
    <time className="num" dateTime={at} title={clock(at)}>
      {duration(age)}
      {suffix === "" ? "" : ` ${suffix}`}
    </time>
  );
}
