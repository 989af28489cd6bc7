/** Draws the notices at the foot of the page and reads them out politely. */
import { useSyncExternalStore } from "react";
import { Icon } from "@/ui/Icon";
import classes from "@/ui/Notices.module.css";
import { current, dismiss, subscribe } from "@/ui/notices";

export function Notices() {
  const notices = useSyncExternalStore(subscribe, current);
  return (
    <div className={classes.list} aria-live="polite">
      {notices.map(({ id, tone, text }) => (
        <div key={id} className={`${classes.notice} ${classes[tone]}`}>
          <span>{text}</span>
          <button type="button" className={classes.close} aria-label="Dismiss" onClick={() => dismiss(id)}>
            <Icon name="close" size={14} />
          </button>
        </div>
      ))}
    </div>
  );
}
