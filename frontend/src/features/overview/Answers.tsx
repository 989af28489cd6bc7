/** The five questions, each with its answer and a link to all of it. */
import type { OverviewTile } from "@/api/types";
import classes from "./Answers.module.css";
import { Anchor } from "@/ui/Anchor";
import { StateBadge } from "@/ui/StateBadge";

const QUESTIONS: Record<OverviewTile["kind"], { title: string; none: string }> = {
  problems: { title: "Broken", none: "Nothing is broken." },
  nearly_full: { title: "Nearly full", none: "No link is above 70 % of its usable rate." },
  recent_changes: { title: "Just changed", none: "Nothing moved in the last hour." },
  awaiting_confirmation: { title: "To confirm", none: "Nothing waits for you." },
  not_reporting: { title: "Out of sight", none: "Every node and agent is heard." },
};

const SHOWN = 3;

export function Answers({ answers }: { answers: readonly OverviewTile[] }) {
  return (
    <div className={classes.answers}>
      {answers.map((answer) => (
        <AnswerTile key={answer.kind} answer={answer} />
      ))}
    </div>
  );
}

function AnswerTile({ answer: { kind, total, items, url } }: { answer: OverviewTile }) {
  const { title, none } = QUESTIONS[kind];
  const more = total - Math.min(items.length, SHOWN);
  return (
    <section className={classes.tile} aria-label={title} data-testid={`answer-${kind}`} data-total={total}>
      <h2>
        <Anchor href={url} className={classes.title}>
          {title}
          <span className="num" data-none={total === 0}>
            {total}
          </span>
        </Anchor>
      </h2>
      {items.length === 0 ? (
        <p className={classes.none}>{none}</p>
      ) : (
        <ul>
          {items.slice(0, SHOWN).map((item) => (
            <li key={`${item.url} ${item.title}`} className={classes.item}>
              <StateBadge state={item.state} quiet />
              <Anchor href={item.url} className={classes.link} title={`${item.title}: ${item.detail}`}>
                <span className={classes.what}>{item.title}</span>
                <span className={classes.detail}>{item.detail}</span>
              </Anchor>
            </li>
          ))}
        </ul>
      )}
      {more > 0 && (
        <Anchor href={url} className={classes.more}>
          and {more} more
        </Anchor>
      )}
    </section>
  );
}
