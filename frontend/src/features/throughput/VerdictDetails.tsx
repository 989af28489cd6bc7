/** A verdict with evidence, remedy and numbers. */
import type { TestVerdict } from "@/api/throughput";
import classes from "./Tests.module.css";
import { formatNumbers, verdictLabel } from "./labels";
import { Facts } from "@/ui/Facts";

export function VerdictDetails({
  verdict,
  isSentenceShown = true,
}: {
  verdict: TestVerdict;
  isSentenceShown?: boolean;
}) {
  const { name, confidence, sentence, remedy, evidence, suspect } = verdict;
  const facts = formatNumbers(verdict);
  const label = verdictLabel(name);
  return (
    <div className={classes.stack} data-verdict={name}>
      <p>
        <b>
          <span aria-hidden="true">{label.glyph}</span> {label.text}
        </b>{" "}
        <span className="dim">
          confidence {confidence}
          {suspect === "" ? "" : `, suspect ${suspect}`}
        </span>
      </p>
      {isSentenceShown && <p>{sentence}</p>}
      {remedy !== "" && (
        <p className={classes.remedy}>
          <b>{name === "inconclusive" ? "Next measurement: " : "Remedy: "}</b>
          {remedy}
        </p>
      )}
      {evidence.length > 0 && (
        <ul className={classes.evidence} aria-label="Evidence">
          {evidence.map(({ text, supports }) => (
            <li key={text} data-supports={supports}>
              <span aria-hidden="true">{supports ? "✓" : "✗"}</span>
              <span>
                <span className="visually-hidden">{supports ? "for: " : "against: "}</span>
                {text}
              </span>
            </li>
          ))}
        </ul>
      )}
      {facts.length > 0 && <Facts facts={facts} />}
    </div>
  );
}
