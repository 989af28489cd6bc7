/** A command to be run in a shell, with a button that copies it. */
import { Button } from "@mantine/core";
import classes from "@/ui/states/CommandLine.module.css";
import { Icon } from "@/ui/Icon";
import { notify } from "@/ui/notify";

export function CommandLine({ command }: { command: string }) {
  const copy = () => {
    void navigator.clipboard.writeText(command).then(
      () => notify("good", "Copied."),
      () => notify("bad", "The browser denied copying. Select the command and copy it manually."),
    );
  };
  return (
    <div className={classes.command}>
      <code className="mono">{command}</code>
      <Button size="xs" variant="default" leftSection={<Icon name="copy" size={14} />} onClick={copy}>
        Copy
      </Button>
    </div>
  );
}
