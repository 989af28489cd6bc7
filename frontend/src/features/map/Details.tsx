/** Details of the selected node or link, with its actions. On a phone a sheet at the bottom. */

import { ActionIcon, Button } from "@mantine/core";

import type { Site } from "@/api/types";
import { AgeStamp } from "@/ui/AgeStamp";
import { Anchor } from "@/ui/Anchor";
import { Icon } from "@/ui/Icon";
import { StateBadge } from "@/ui/StateBadge";
import { count, duration, percent, rate } from "@/util/units";
import { hasLinkFault, type MapModel, type MapLink, type MapLoad, type MapNode, uplinkOf } from "./mapModel";
import { groupKey } from "./nodeGroups";
import classes from "./MapPage.module.css";
import { rules, STROKE_LABELS } from "./rules";
import { FactMark } from "@/ui/FactMark";
import type { MapState } from "./useMapState";

interface Props {
  model: MapModel;
  site: Site;
  state: MapState;
  stale: boolean;
  /** Opens or closes a group. */
  onToggle: (group: MapNode) => void;
}

export function Details(props: Props) {
  const { model, state } = props;
  const node = model.nodeOf.get(state.selected ?? "");
  const link = model.linkOf.get(state.selected ?? "");
  if (!node && !link) return <Overall {...props} />;
  return (
    <aside className={classes.details} aria-label="Details of the selection" data-testid="map-details">
      <div className={classes.detailsHead}>
        <h2>{(node ?? link)?.name}</h2>
        <ActionIcon variant="subtle" aria-label="Close details" onClick={() => state.select(null)}>
          <Icon name="close" size={16} />
        </ActionIcon>
      </div>
      <div className={classes.detailsBody}>
        {node && <NodeDetails node={node} {...props} />}
        {link && <LinkDetails link={link} {...props} />}
      </div>
    </aside>
  );
}

const MAX_BUSIEST = 8;
const MOST_LINKS = 100;
const MOST_FAULTS = 12;

/** How many items a list leaves out. */
function Rest({ shown, all, noun }: { shown: number; all: number; noun: string }) {
  return all <= shown ? null : <p className="dim">and {count(all - shown, `more ${noun}`)}: see the table</p>;
}

/** Shown without a selection, in the same place so that selecting does not move the map. */
function Overall({ model, state, stale }: Props) {
  const fullest = model.links
    .filter((link) => !rules.isDown(link) && !rules.isDead(link) && rules.fullest(link) > 0)
    .toSorted((a, b) => rules.fullest(b) - rules.fullest(a))
    .slice(0, MAX_BUSIEST);
  const down = model.links.filter(rules.isDown);
  const dead = model.links.filter((link) => rules.isDead(link) && !rules.isDown(link));
  return (
    <aside className={`${classes.details} ${classes.overall}`} aria-label="Summary of the map">
      <div className={classes.detailsHead}>
        <h2>Summary</h2>
      </div>
      <div className={classes.detailsBody}>
        {down.length > 0 && <LinkButtons title="Down" links={down} state={state} stale={stale} />}
        {dead.length > 0 && (
          <LinkButtons title="Links of dead paths" links={dead} state={state} stale={stale} />
        )}
        <LinkButtons title="Busiest links" links={stale ? [] : fullest} state={state} stale={stale} />
        <p className="dim">
          Select a node or link for details. Double-click or press Enter to open its page.
        </p>
      </div>
    </aside>
  );
}

function LinkButtons({
  title,
  links,
  state,
  stale,
}: {
  title: string;
  links: readonly MapLink[];
  state: MapState;
  stale: boolean;
}) {
  return (
    <section className={classes.ends} aria-label={title}>
      <h3>{title}</h3>
      {links.length === 0 && <p className="dim">No current data.</p>}
      {links.slice(0, MOST_LINKS).map((link) => (
        <button type="button" key={link.key} onClick={() => state.select(link.key)}>
          <span>{link.name}</span>
          <span className="num dim">{stale ? STROKE_LABELS.unknown : shortState(link)}</span>
        </button>
      ))}
      <Rest shown={MOST_LINKS} all={links.length} noun="link" />
    </section>
  );
}

/** A link's state if it is not in order, otherwise its utilisation. */
function shortState(link: MapLink): string {
  const stroke = rules.stroke(link);
  return stroke === "active" || stroke === "standby" ? percent(rules.fullest(link)) : STROKE_LABELS[stroke];
}

/** Members and inner links of a group that are not in order; selecting one opens the group. */
function Faults({ node, state }: { node: MapNode; state: MapState }) {
  const members = node.members.filter((member) => member.state !== "ok" && member.state !== "disabled");
  const links = node.inner.filter(hasLinkFault);
  const faults = [
    ...members.map(({ key, name, state_text: text }) => ({ key, name, text })),
    ...links.map(({ id, name, state_text: text }) => ({ key: `link:${id}`, name, text })),
  ];
  if (faults.length === 0) return null;
  return (
    <section className={classes.ends} aria-label="Faults in this group">
      <h3>Faults</h3>
      {faults.slice(0, MOST_FAULTS).map(({ key, name, text }) => (
        <button type="button" key={key} onClick={() => state.select(key)} title={text}>
          <span>{name}</span>
          <span className="dim">{text}</span>
        </button>
      ))}
      <Rest shown={MOST_FAULTS} all={faults.length} noun="fault" />
    </section>
  );
}

function UplinkFacts({ node, model, stale }: { node: MapNode; model: MapModel; stale: boolean }) {
  const uplink = uplinkOf(model, node);
  return (
    <>
      <dt>Uplinks</dt>
      <dd className="num">
        {uplink.links}, {rate(uplink.usableRate)}
      </dd>
      <dt>Out of the group</dt>
      <dd className="num">
        <Traffic load={stale ? null : uplink.out} />
      </dd>
      <dt>Into the group</dt>
      <dd className="num">
        <Traffic load={stale ? null : uplink.in} />
      </dd>
    </>
  );
}

function NodeDetails({ node, model, state, stale, onToggle }: Props & { node: MapNode }) {
  const links = model.links.filter((link) => link.source === node.key || link.target === node.key);
  const [member] = node.members;
  const age = node.members.length === 1 ? member?.age_s : undefined;
  return (
    <>
      <dl className={classes.facts}>
        <dt>State</dt>
        <dd>
          <StateBadge state={stale ? "unknown" : node.state} />
        </dd>
        <dt>Status</dt>
        <dd>{stale ? "no live data" : node.stateText}</dd>
        <dt>Kind</dt>
        <dd>{node.kind === "fabric" ? `fabric, ${node.role}` : `${node.kind}, ${node.role}`}</dd>
        {node.gateway !== null && (
          <>
            <dt>Gateway</dt>
            <dd>
              <FactMark fact="gateway_role" state={stale ? "unknown" : node.gateway.role} />
              {!stale && ` ${node.gateway.text}`}
            </dd>
          </>
        )}
        {age !== undefined && age !== null && node.kind !== "fabric" && (
          <>
            <dt>Last reported</dt>
            <dd className="num">{duration(age)} ago</dd>
          </>
        )}
        {node.members.length === 1 && member?.since && (
          <>
            <dt>Time in state</dt>
            <dd>
              <AgeStamp at={member.since} />
            </dd>
          </>
        )}
        <dt>Incidents</dt>
        <dd className="num">{node.incidents === 0 ? "none" : node.incidents}</dd>
        {node.kind === "group" && <UplinkFacts node={node} model={model} stale={stale} />}
      </dl>
      {node.kind === "group" && !stale && <Faults node={node} state={state} />}
      <LinkButtons title="Links" links={links} state={state} stale={stale} />
      <div className={classes.actions}>
        {node.url !== null && (
          <Button size="xs" component={Anchor} href={node.url}>
            Open {node.kind === "fabric" ? "fabrics" : "page"}
          </Button>
        )}
        {node.kind === "group" && (
          <Button size="xs" onClick={() => onToggle(node)}>
            {node.box === null ? `Expand ${count(node.members.length, "node")}` : "Collapse"}
          </Button>
        )}
        {node.kind !== "fabric" && node.kind !== "group" && (
          <Button size="xs" variant="default" onClick={() => state.setFilter("node", node.name)}>
            Show paths
          </Button>
        )}
        {node.kind !== "group" && node.group !== null && (
          <Button
            size="xs"
            variant="default"
            onClick={() => state.close(node.group ?? "", groupKey(node.group ?? ""), model.inPlace)}
          >
            Collapse {model.nodeOf.get(groupKey(node.group))?.name ?? node.role}
          </Button>
        )}
      </div>
    </>
  );
}

function LinkDetails({ link, model, site, state, stale }: Props & { link: MapLink }) {
  const name = (key: string): string => model.nodeOf.get(key)?.name ?? key;
  const [source, target] = [name(link.source), name(link.target)];
  const [member] = link.members;
  const circuit = link.members.length === 1 ? member?.circuit : "";
  return (
    <>
      <dl className={classes.facts}>
        <dt>
          {source} → {target}
        </dt>
        <dd className="num">
          <Traffic load={stale ? null : link.forward} />
        </dd>
        <dt>
          {target} → {source}
        </dt>
        <dd className="num">
          <Traffic load={stale ? null : link.back} />
        </dd>
        <dt>Capacity</dt>
        <dd className="num">{rate(link.usableRate)}</dd>
        {site.rate_scale !== 1 && (
          <>
            <dt>Real capacity</dt>
            <dd className="num">{rate(link.usableRate / site.rate_scale)}</dd>
          </>
        )}
        <dt>State</dt>
        <dd>
          <StateBadge state={stale ? "unknown" : link.state} />
        </dd>
        <dt>Status</dt>
        <dd>{stale ? "no live data" : link.stateText}</dd>
        <dt>Carrier</dt>
        <dd>
          <FactMark fact="carrier" state={stale ? "unknown" : link.carrier} />
        </dd>
        <dt>Path status</dt>
        <dd>
          <FactMark fact="link_use" state={stale ? "unknown" : link.carries} />
        </dd>
        <dt>Fabric</dt>
        <dd>{link.fabric}</dd>
        {circuit && (
          <>
            <dt>Circuit</dt>
            <dd className="num">{circuit}</dd>
          </>
        )}
        <dt>Last reported</dt>
        <dd>
          {link.forward || link.back ? (
            <AgeStamp at={(link.forward ?? link.back)?.at} suffix="ago" />
          ) : (
            "no current data"
          )}
        </dd>
        <dt>Incidents</dt>
        <dd className="num">{link.incidents === 0 ? "none" : link.incidents}</dd>
      </dl>
      <div className={classes.ends}>
        {[link.source, link.target].map((key) => (
          <button type="button" key={key} onClick={() => state.select(key)}>
            {name(key)}
          </button>
        ))}
      </div>
      {link.url !== null && (
        <div className={classes.actions}>
          <Button size="xs" component={Anchor} href={link.url}>
            Open page
          </Button>
        </div>
      )}
    </>
  );
}

function Traffic({ load }: { load: MapLoad | null }) {
  return load ? (
    <>
      {rate(load.bps)} <b>{percent(load.utilisation)}</b>
    </>
  ) : (
    <span className="dim">no current data</span>
  );
}
