/** Switch ports of the node frames: owners, and the port selected for the gateway. */
import type { SwitchPort } from "@/api/extension-nodes";
import { framesOf, formatUse } from "./extension";
import classes from "./ExtensionNodes.module.css";

interface Props {
  ports: readonly SwitchPort[];
  chosen: { readonly frame: number | null; readonly slot: number | null };
  onChoose: (place: { frame: number; slot: number }) => void;
}

export function SwitchPorts({ ports, chosen, onChoose }: Props) {
  return [...framesOf(ports)].map(([frame, slots]) => (
    <div key={frame} role="group" aria-label={`Switch ports of frame ${frame}`}>
      <span className="dim">Frame {frame}</span>
      <div className={classes.frame}>
        {slots.map((port) => (
          <button
            key={port.slot}
            type="button"
            className={classes.slot}
            data-use={port.use}
            title={port.text}
            disabled={port.use === "used"}
            aria-pressed={chosen.frame === frame && chosen.slot === port.slot}
            onClick={() => onChoose({ frame, slot: port.slot })}
          >
            <b className="num">{port.slot}</b>
            <small>{formatUse(port)}</small>
          </button>
        ))}
      </div>
    </div>
  ));
}
