/** Intended attributes against the router's row of the SP dependent-node MIB. */
import type { ExtensionAttribute } from "@/api/extension-nodes";
import { verdictState } from "./extension";
import classes from "./ExtensionNodes.module.css";
import { StateLabel } from "@/ui/StateLabel";
import { NONE } from "@/util/units";

export function Attributes({
  attributes,
  router,
}: {
  attributes: readonly ExtensionAttribute[];
  router: string;
}) {
  return (
    <div className={classes.scroll} tabIndex={0} role="region" aria-label={`Attributes of ${router}`}>
      <table className={classes.sides}>
        <thead>
          <tr>
            <th scope="col">attribute, SDR name</th>
            <th scope="col">intended</th>
            <th scope="col">reported by {router}</th>
            <th scope="col">verdict</th>
          </tr>
        </thead>
        <tbody>
          {attributes.map((attribute) => (
            <Line key={attribute.key} attribute={attribute} router={router} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Line({ attribute, router }: { attribute: ExtensionAttribute; router: string }) {
  const { key, title, sdr, object, intended, reported, verdict, text } = attribute;
  const [state, word] = verdictState(attribute);
  return (
    <tr data-attribute={key} data-verdict={verdict}>
      <th scope="row">
        {title}
        <span className={`${classes.name} mono`}>{[sdr, object].filter(Boolean).join(" · ")}</span>
      </th>
      <td className="mono" data-label="intended">
        {intended ?? NONE}
      </td>
      <td className={`${classes.told} mono`} data-label={`reported by ${router}`}>
        {reported ?? NONE}
      </td>
      <td>
        <StateLabel state={state} label={word} />
        {text !== "" && <span className={classes.name}>{text}</span>}
      </td>
    </tr>
  );
}
