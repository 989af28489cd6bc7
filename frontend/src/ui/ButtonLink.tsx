/** A link styled as a button; it only navigates. */
import { Button, type ButtonProps } from "@mantine/core";
import type { ReactNode } from "react";
import { Anchor } from "@/ui/Anchor";

export function ButtonLink({ href, children, ...look }: ButtonProps & { href: string; children: ReactNode }) {
  return (
    <Button size="xs" variant="default" {...look} component={Anchor} href={href}>
      {children}
    </Button>
  );
}
