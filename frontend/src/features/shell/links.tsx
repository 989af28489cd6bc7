/** Router link for ui that keeps site and time range. */
import type { Ref } from "react";
import { Link, useLocation } from "react-router";
import { carry } from "@/api/scope";
import type { AnchorProps } from "@/ui/Anchor";

export function RouterAnchor({ href, ref, ...rest }: AnchorProps & { ref?: Ref<HTMLAnchorElement> }) {
  const { search } = useLocation();
  return <Link {...rest} {...(ref === undefined ? {} : { ref })} to={carry(href, search)} />;
}
