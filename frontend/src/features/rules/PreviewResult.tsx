/** How often settings would have opened an incident, and what was not read. */
import type { RulePreview } from "@/api/alerting/rules";
import { previewText } from "./rules";
import { FormError } from "@/ui/FormError";
import { count } from "@/util/units";

export function PreviewResult({ preview, error }: { preview: RulePreview | undefined; error: Error | null }) {
  if (error !== null) return <FormError>{error.message}</FormError>;
  if (preview === undefined) return null;
  return (
    <div role="status">
      <p>{previewText(preview)}</p>
      {preview.worst.length > 0 && (
        <ol aria-label="Objects with most incidents">
          {preview.worst.map(({ name, incidents }) => (
            <li key={name}>
              {name}: {count(incidents, "incident")}
            </li>
          ))}
        </ol>
      )}
      {preview.notes.map((note) => (
        <p key={note} className="dim">
          {note}
        </p>
      ))}
    </div>
  );
}
