/** Frames of the pages of notifications: lists with links to the other lists, and forms for who may save them. */
import type { ReactNode } from "react";
import classes from "./Notifications.module.css";
import { Anchor } from "@/ui/Anchor";
import { EmptyState } from "@/ui/ErrorState";
import { PageHeader } from "@/ui/PageHeader";

const LISTS = ["channels", "routes", "schedules", "deliveries", "push", "wallboards"] as const;
type ListName = (typeof LISTS)[number];

const LABELS: Record<ListName, string> = {
  channels: "Channels",
  routes: "Routes",
  schedules: "On-call schedules",
  deliveries: "Deliveries",
  push: "Push",
  wallboards: "Wallboards",
};

interface Props {
  list: ListName;
  headline: string;
  /** Controls of the list. */
  controls?: ReactNode;
  children: ReactNode;
}

export function ListPage({ list, headline, controls, children }: Props) {
  return (
    <>
      <PageHeader title={`Notifications: ${LABELS[list].toLowerCase()}`} headline={headline}>
        {controls}
      </PageHeader>
      <div className={classes.page}>
        <nav className={classes.tabs} aria-label="Notifications">
          {LISTS.map((name) => (
            <Anchor
              key={name}
              href={`/notifications/${name}`}
              aria-current={name === list ? "page" : undefined}
            >
              {LABELS[name]}
            </Anchor>
          ))}
        </nav>
        {children}
      </div>
    </>
  );
}

interface FormProps {
  /** Undefined while the session loads. */
  isAllowed: boolean | undefined;
  title: string;
  /** Who may save: `An administrator`. */
  who: string;
  children: ReactNode;
}

/** A form, or who may save it: the server would refuse others. */
export function FormPage({ isAllowed, title, who, children }: FormProps) {
  if (isAllowed !== false) return children;
  return (
    <>
      <PageHeader title={title} />
      <EmptyState title="Your role cannot save this.">{who} of the site can.</EmptyState>
    </>
  );
}
