/** The link of a wallboard, shown once after it was made. */
import { Button } from "@mantine/core";
import type { NewWallboard } from "@/api/wallboard/queries";
import classes from "./Notifications.module.css";
import { Icon } from "@/ui/Icon";
import { notify } from "@/ui/notify";
import { Panel } from "@/ui/Panel";

export function WallboardLink({ wallboard: { name, path } }: { wallboard: NewWallboard }) {
  const url = `${globalThis.location.origin}${path}`;
  const copy = () => {
    void navigator.clipboard.writeText(url).then(
      () => notify("good", "Copied."),
      () => notify("bad", "The browser denied copying. Select the link and copy it manually."),
    );
  };
  return (
    <Panel title={`Link of ${name}`}>
      <div className={classes.stack} role="status">
        <p>
          Open this link on the screen. Whoever knows it sees the site until the wallboard is revoked; it is
          not shown again.
        </p>
        <div className={classes.row}>
          <code className="mono" data-testid="wallboard-link">
            {url}
          </code>
          <Button size="xs" variant="default" leftSection={<Icon name="copy" size={14} />} onClick={copy}>
            Copy
          </Button>
        </div>
      </div>
    </Panel>
  );
}
