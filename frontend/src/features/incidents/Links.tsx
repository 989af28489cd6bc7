/** Objects of an incident, each a link to its page. */
import type { IncidentDetail } from "@/api/types";
import { Anchor } from "@/ui/Anchor";

export function Links({ objects }: { objects: IncidentDetail["objects"] }) {
  return (
    <>
      {objects.map(({ name, url }, place) => (
        <span key={url}>
          {place > 0 && ", "}
          <Anchor href={url}>{name}</Anchor>
        </span>
      ))}
    </>
  );
}
