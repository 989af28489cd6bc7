/** A verdict in full: its evidence for and against, what to do about it, and the figures it rests on. */
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
  const { glyph, words } = verdictLabel(name);
  return (
    <div className={classes.stack} data-verdict={name}>
      <p>
        <b>
          <span aria-hidden="true">{glyph}</span> {words}
        </b>{" "}
        <span className="dim">
          confidence {confidence}
          {suspect === "" ? "" : `, names ${suspect}`}
        </span>
      </p>
      {isSentenceShown && <p>{sentence}</p>}
      {remedy !== "" && (
        <p className={classes.remedy}>
          <b>{name === "inconclusive" ? "To measure: " : "To do: "}</b>
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
