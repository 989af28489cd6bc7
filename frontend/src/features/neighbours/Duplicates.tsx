/** Addresses with several hardware addresses on one fabric. */
import type { Duplicate } from "@/api/neighbours";
import classes from "./NeighboursPage.module.css";
import { AgeStamp } from "@/ui/AgeStamp";
import { Anchor } from "@/ui/Anchor";
import { StateLabel } from "@/ui/StateLabel";

export function Duplicates({ duplicates }: { duplicates: readonly Duplicate[] }) {
  return (
    <ul aria-label="Duplicate addresses" className={classes.list}>
      {duplicates.map(({ address, fabric, since, macs, incident }) => (
        <li key={`${address} ${fabric ?? ""}`} className={classes.duplicate}>
          <p className={classes.head}>
            <b className="mono">{address}</b>
            {fabric !== null && <span className="dim">{fabric}</span>}
            <StateLabel
              state={incident?.severity === "critical" ? "critical" : "warning"}
              label={`${macs.length} hardware addresses`}
            />
            <span>
              for <AgeStamp at={since} />
            </span>
            {incident !== null && <Anchor href={incident.url}>incident</Anchor>}
          </p>
          <ul className={classes.places}>
            {macs.map(({ mac, owner, nodes }) => (
              <li key={mac}>
                <b>{owner || "unknown owner"}</b> <span className="mono">{mac}</span>{" "}
                <span className="dim">reported by {nodes.join(", ")}</span>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}
