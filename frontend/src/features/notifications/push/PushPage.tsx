/** Push on one's own devices: turned on in the browser that shall get the messages. */
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import {
  canPush,
  ownDigestQuery,
  pushDevicesQuery,
  pushQuery,
  useRemovePushDevice,
  useEnablePush,
  type Push,
  type PushDevice,
} from "@/api/notifications/push";
import { useSite } from "@/api/scope";
import { ListPage } from "../Header";
import classes from "../Notifications.module.css";
import { AgeStamp } from "@/ui/AgeStamp";
import { ConfirmButton } from "@/ui/confirm";
import { EmptyState, Waiting } from "@/ui/ErrorState";
import { FormError } from "@/ui/FormError";
import { Panel } from "@/ui/Panel";
import { QueryBoundary } from "@/ui/QueryBoundary";
import { StateLabel } from "@/ui/StateLabel";
import { count } from "@/util/units";

export function PushPage() {
  const site = useSite()?.name;
  if (site === undefined) return <Waiting what="the sites" />;
  return <OfSite site={site} />;
}

function OfSite({ site }: { site: string }) {
  const push = useQuery(pushQuery(site));
  const devices = useQuery(pushDevicesQuery(site));
  const { data: own = null } = useQuery(ownDigestQuery);
  const known = devices.data ?? [];
  const headline = known.length === 0 ? "Push is off." : `Push is on: ${count(known.length, "device")}.`;
  return (
    <ListPage list="push" headline={devices.isSuccess ? headline : ""}>
      <Panel title="This device">
        <QueryBoundary query={push} what="the push settings">
          {(data) => <ThisDevice push={data} isOn={known.some(({ digest }) => digest === own)} />}
        </QueryBoundary>
      </Panel>
      <Panel title="Your devices">
        <QueryBoundary query={devices} what="your devices">
          {(rows) => <Devices rows={rows} own={own} />}
        </QueryBoundary>
      </Panel>
    </ListPage>
  );
}

const unavailableReason = ({ site, is_allowed }: Push): string | null => {
  if (!is_allowed) return `${site} does not allow push. An administrator creates a channel of the kind push.`;
  if (!window.isSecureContext) return "Browsers allow push only over HTTPS.";
  if (!canPush()) return "This browser has no push. On an iPhone, first add Backstay to the home screen.";
  return null;
};

function ThisDevice({ push, isOn }: { push: Push; isOn: boolean }) {
  const enable = useEnablePush();
  const reason = unavailableReason(push);
  if (reason !== null) return <p data-testid="push-unavailable">{reason}</p>;
  return (
    <div className={classes.stack}>
      <p>
        {isOn
          ? "Push is on in this browser."
          : "Critical incidents of the sites that you may see, and their end, appear as notifications of this device, also while Backstay is closed."}
      </p>
      {!push.is_routed && (
        <p className={classes.warning}>
          No notification route of {push.site} uses its push channel yet: nothing is sent.
        </p>
      )}
      {!isOn && (
        <div className={classes.row}>
          <Button size="xs" loading={enable.isPending} onClick={() => enable.mutate(push)}>
            Turn on push
          </Button>
        </div>
      )}
      <FormError>{enable.error?.message}</FormError>
    </div>
  );
}

function Devices({ rows, own }: { rows: readonly PushDevice[]; own: string | null }) {
  const remove = useRemovePushDevice();
  if (rows.length === 0) return <EmptyState title="No devices.">Turn on push on each device.</EmptyState>;
  return (
    <ul className={classes.list} aria-label="Your devices">
      {rows.map((device) => (
        <li key={device.id} className={classes.item}>
          <div className={classes.row}>
            <strong>{device.label}</strong>
            {device.digest === own && <span className="dim">this browser</span>}
            <State device={device} />
            <span className="dim">via {device.service}</span>
            <ConfirmButton
              title={`Turn off push on ${device.label}?`}
              consequence="It gets no further messages. Turn it on again in that browser."
              action="Turn off"
              isBusy={remove.isPending}
              onConfirm={() => remove.mutate(device)}
            >
              Remove {device.label}
            </ConfirmButton>
          </div>
        </li>
      ))}
    </ul>
  );
}

function State({ device: { failing_since, failure, delivered_at } }: { device: PushDevice }) {
  if (failing_since !== null) return <StateLabel state="critical" label={`failing: ${failure}`} />;
  if (delivered_at === null) return <span className="dim">no message yet</span>;
  return (
    <span>
      last message <AgeStamp at={delivered_at} suffix="ago" />
    </span>
  );
}
