/** What fails, growth, moment and kind of load. */
import { Button, SegmentedControl, Slider } from "@mantine/core";
import { useState } from "react";
import { sharedRisksList } from "@/api/models/capacity";
import { fabricsList, linksList, nodesList } from "@/api/queries";
import { useNames } from "@/api/useNames";
import classes from "./Capacity.module.css";
import {
  type Component,
  GROWTH,
  groupsOf,
  keyOf,
  LOADS,
  type LoadKind,
  membersText,
  type Scenario,
} from "./capacity";
import { MomentPicker } from "./WhatIfTime";
import { Icon } from "@/ui/Icon";
import { NamePicker } from "@/ui/NamePicker";

interface Props {
  /** Undefined until it is known. */
  site: string | undefined;
  scenario: Scenario;
  /** As the API resolved them. */
  failed: readonly Component[];
  onChange: (next: Partial<Scenario>) => void;
  onToggle: (objects: readonly Component[]) => void;
}

export function FailureForm({ site, scenario, failed, onChange, onToggle }: Props) {
  const pick = (name: string) => onChange({ dead: [...new Set([...scenario.dead, name])] });
  return (
    <div className={classes.controls}>
      <div>
        <ul className={classes.failed} aria-label="Failed objects">
          {scenario.dead.length === 0 && <li className="dim">Nothing fails.</li>}
          {groupsOf(scenario.dead).map((name) => (
            <li key={`group:${name}`}>
              <button
                type="button"
                className={`chip ${classes.remove}`}
                aria-label={`Let the shared risk ${name} work again`}
                onClick={() => onChange({ dead: scenario.dead.filter((one) => one !== `group:${name}`) })}
              >
                {name}: together
                <Icon name="close" size={12} />
              </button>
            </li>
          ))}
          {failed.map((one) => (
            <li key={keyOf(one)}>
              <button
                type="button"
                className={`chip ${classes.remove}`}
                aria-label={`Let ${one.name} work again`}
                onClick={() => onToggle([one])}
              >
                {one.name}
                <Icon name="close" size={12} />
              </button>
            </li>
          ))}
          {scenario.dead.length > 1 && (
            <li>
              <Button size="compact-xs" variant="subtle" onClick={() => onChange({ dead: [] })}>
                Clear
              </Button>
            </li>
          )}
        </ul>
        <ObjectPicker site={site} onPick={pick} />
        <SharedRiskPicker site={site} onPick={pick} />
      </div>
      <Growth growth={scenario.growth} onChange={(growth) => onChange({ growth })} />
      <div className={classes.label}>
        <span>Moment</span>
        <MomentPicker at={scenario.at} onChange={(at) => onChange({ at })} />
      </div>
      <SegmentedControl
        size="xs"
        aria-label="Load"
        value={scenario.load}
        data={LOADS.map((one) => ({ ...one }))}
        onChange={(load) => onChange({ load: load as LoadKind })}
      />
    </div>
  );
}

const nameOf = ({ name }: { name: string }): string => name;

/** Finds a node, link or fabric by name. */
function ObjectPicker({ site, onPick }: { site: string | undefined; onPick: (dead: string) => void }) {
  const nodes = useNames(nodesList, site, nameOf);
  const links = useNames(linksList, site, nameOf);
  const fabrics = useNames(fabricsList, site, nameOf);
  const kinds = [
    ["node", nodes],
    ["fabric", fabrics],
    ["link", links],
  ] as const;
  const names = [...new Set(kinds.flatMap(([, found]) => found.names))];
  const pick = (name: string): void => {
    const kind = kinds.find(([, found]) => found.names.includes(name))?.[0];
    if (kind !== undefined) onPick(`${kind}:${name}`);
  };
  return (
    <NamePicker
      label="Let fail"
      placeholder="name of a node, link or fabric"
      value=""
      names={names}
      onSearch={(text) => kinds.forEach(([, { search }]) => search(text))}
      onPick={pick}
    />
  );
}

/** Finds a shared risk by name, and says what fails with it; nothing at a site without any. */
function SharedRiskPicker({ site, onPick }: { site: string | undefined; onPick: (dead: string) => void }) {
  const { names, rows, search } = useNames(sharedRisksList, site, nameOf);
  const [text, setText] = useState("");
  if (names.length === 0 && text === "") return null;
  return (
    <NamePicker
      label="Let a shared risk fail"
      placeholder="all of its members fail together"
      value=""
      names={names}
      describe={(name) =>
        rows
          .filter((row) => row.name === name)
          .map(membersText)
          .join("; ")
      }
      onSearch={(next) => {
        setText(next);
        search(next);
      }}
      onPick={(name) => rows.filter((row) => row.name === name).forEach(({ key }) => onPick(key))}
    />
  );
}

/** A slider that applies when it is released. */
function Growth({ growth, onChange }: { growth: number; onChange: (growth: number) => void }) {
  const [value, setValue] = useState(growth);
  return (
    <div className={classes.growth}>
      <span className={classes.label}>
        <span>Growth of all traffic</span>
        <span className="num">
          {value < 0 ? "−" : "+"}
          {Math.abs(value)} %
        </span>
      </span>
      <Slider
        size="sm"
        thumbLabel="Growth of all traffic in percent"
        min={Math.min(GROWTH.least, growth)}
        max={Math.max(GROWTH.most, growth)}
        step={GROWTH.step}
        label={null}
        value={value}
        onChange={setValue}
        onChangeEnd={onChange}
        marks={[0, 50, 100, 150, 200].map((mark) => ({ value: mark, label: `${mark} %` }))}
      />
    </div>
  );
}
