/** What is known of the chosen node or link, with the ways on from there. On a phone it is a sheet at the bottom. */

import { ActionIcon, Button } from "@mantine/core";

import type { Site } from "@/api/types";
import { AgeStamp } from "@/ui/AgeStamp";
import { Anchor } from "@/ui/Anchor";
import { Icon } from "@/ui/Icon";
import { StateBadge } from "@/ui/StateBadge";
import { count, duration, percent, rate } from "@/util/units";
import { type Drawn, type DrawnLink, type DrawnLoad, type DrawnNode, FOLD_ABOVE } from "./drawn";
import classes from "./MapPage.module.css";
import { CARRIES_LABELS, rules, STROKE_WORDS } from "./rules";
import type { MapState } from "./useMapState";

interface Props {
  drawn: Drawn;
  site: Site;
  state: MapState;
  stale: boolean;
}

export function Details(props: Props) {
  const { drawn, state } = props;
  const node = drawn.nodes.find(({ key }) => key === state.selected);
  const link = drawn.links.find(({ key }) => key === state.selected);
  if (!node && !link) return <Overall {...props} />;
  return (
    <aside className={classes.details} aria-label="Details of what is selected" data-testid="map-details">
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

const MOST_FULLEST = 8;

/** Nothing is chosen: where the traffic is. The place at the side stays, so that choosing something moves nothing. */
function Overall({ drawn, state, stale }: Props) {
  const fullest = drawn.links
    .filter((link) => !rules.isDown(link) && rules.fullest(link) > 0)
    .toSorted((a, b) => rules.fullest(b) - rules.fullest(a))
    .slice(0, MOST_FULLEST);
  const down = drawn.links.filter(rules.isDown);
  return (
    <aside className={`${classes.details} ${classes.overall}`} aria-label="The map at a glance">
      <div className={classes.detailsHead}>
        <h2>At a glance</h2>
      </div>
      <div className={classes.detailsBody}>
        {down.length > 0 && <LinkButtons title="Down" links={down} state={state} stale={stale} />}
        <LinkButtons title="Fullest now" links={stale ? [] : fullest} state={state} stale={stale} />
        <p className="dim">Choose a node or a link for its figures. Open it with a double click, or Enter.</p>
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
  links: readonly DrawnLink[];
  state: MapState;
  stale: boolean;
}) {
  return (
    <section className={classes.ends} aria-label={title}>
      <h3>{title}</h3>
      {links.length === 0 && <p className="dim">Nothing that is known now.</p>}
      {links.map((link) => (
        <button type="button" key={link.key} onClick={() => state.select(link.key)}>
          <span>{link.name}</span>
          <span className="num dim">
            {rules.isDown(link) || stale
              ? STROKE_WORDS[stale ? "unknown" : "down"]
              : percent(rules.fullest(link))}
          </span>
        </button>
      ))}
    </section>
  );
}

function NodeDetails({ node, drawn, state, stale }: Props & { node: DrawnNode }) {
  const links = drawn.links.filter((link) => link.source === node.key || link.target === node.key);
  const [member] = node.members;
  const age = node.members.length === 1 ? member?.age_s : undefined;
  return (
    <>
      <dl className={classes.facts}>
        <dt>State</dt>
        <dd>
          <StateBadge state={stale ? "unknown" : node.state} />
        </dd>
        <dt>Because</dt>
        <dd>{stale ? "live data stopped" : node.stateText}</dd>
        <dt>Kind</dt>
        <dd>{node.kind === "fabric" ? `fabric, ${node.role}` : `${node.kind}, ${node.role}`}</dd>
        {age !== undefined && age !== null && node.kind !== "fabric" && (
          <>
            <dt>Last heard</dt>
            <dd className="num">{duration(age)} ago</dd>
          </>
        )}
        {node.members.length === 1 && member?.since && (
          <>
            <dt>In this state for</dt>
            <dd>
              <AgeStamp at={member.since} />
            </dd>
          </>
        )}
        <dt>Incidents</dt>
        <dd className="num">{node.incidents === 0 ? "none" : node.incidents}</dd>
      </dl>
      <LinkButtons title="Its links" links={links} state={state} stale={stale} />
      <div className={classes.actions}>
        {node.url !== null && (
          <Button size="xs" component={Anchor} href={node.url}>
            Open {node.kind === "fabric" ? "fabrics" : "its page"}
          </Button>
        )}
        {node.kind === "group" && (
          <Button size="xs" onClick={() => state.setOpen([...state.open, node.role])}>
            Unfold {count(node.members.length, "node")}
          </Button>
        )}
        {node.kind !== "fabric" && node.kind !== "group" && (
          <Button size="xs" variant="default" onClick={() => state.setFilter("node", node.name)}>
            Show its paths
          </Button>
        )}
        {state.open.has(node.role) &&
          drawn.nodes.filter(({ role }) => role === node.role).length > FOLD_ABOVE && (
            <Button
              size="xs"
              variant="default"
              onClick={() => state.setOpen([...state.open].filter((role) => role !== node.role))}
            >
              Fold {node.role}
            </Button>
          )}
      </div>
    </>
  );
}

function LinkDetails({ link, drawn, site, state, stale }: Props & { link: DrawnLink }) {
  const name = (key: string): string => drawn.nodes.find((node) => node.key === key)?.name ?? key;
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
        <dt>Because</dt>
        <dd>{stale ? "live data stopped" : link.stateText}</dd>
        <dt>For</dt>
        <dd>{CARRIES_LABELS[link.carries]}</dd>
        <dt>Fabric</dt>
        <dd>{link.fabric}</dd>
        {circuit && (
          <>
            <dt>Circuit</dt>
            <dd className="num">{circuit}</dd>
          </>
        )}
        <dt>Figures of</dt>
        <dd>
          {link.forward || link.back ? (
            <AgeStamp at={(link.forward ?? link.back)?.at} suffix="ago" />
          ) : (
            "nothing fresh"
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
            Open its page
          </Button>
        </div>
      )}
    </>
  );
}

function Traffic({ load }: { load: DrawnLoad | null }) {
  return load ? (
    <>
      {rate(load.bps)} <b>{percent(load.utilisation)}</b>
    </>
  ) : (
    <span className="dim">no fresh figure</span>
  );
}
