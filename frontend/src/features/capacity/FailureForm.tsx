/** What fails, growth, moment and kind of load. */
import { Button, SegmentedControl, Slider, TextInput } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { fabricsList, linksList, nodesList } from "@/api/queries";
import { useNames } from "@/api/useNames";
import classes from "./Capacity.module.css";
import { type Component, GROWTH, groupsOf, keyOf, LOADS, type LoadKind, type Scenario } from "./capacity";
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
        <ObjectPicker
          site={site}
          onPick={(name) => onChange({ dead: [...new Set([...scenario.dead, name])] })}
        />
      </div>
      <Growth growth={scenario.growth} onChange={(growth) => onChange({ growth })} />
      <Moment at={scenario.at} onChange={(at) => onChange({ at })} />
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
      key={names.length === 0 ? "empty" : "filled"}
      label="Let fail"
      placeholder="name of a node, link or fabric"
      value=""
      names={names}
      onSearch={(text) => kinds.forEach(([, { search }]) => search(text))}
      onPick={pick}
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

function Moment({ at, onChange }: { at: string; onChange: (at: string) => void }) {
  const [text, setText] = useState(at);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onChange(text.trim() === "now" ? "" : text.trim());
  };
  return (
    <form onSubmit={submit}>
      <TextInput
        size="xs"
        label="Moment"
        description="now, now-1h, now-7d, or 2026-05-01T10:00Z; Enter applies it"
        placeholder="now"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        rightSection={
          at === "" ? null : (
            <Button size="compact-xs" variant="subtle" onClick={() => onChange("")}>
              now
            </Button>
          )
        }
        rightSectionWidth={at === "" ? 0 : 52}
      />
    </form>
  );
}
