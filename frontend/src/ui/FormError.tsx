import { Input } from "@mantine/core";
import type { ReactNode } from "react";

/** Error of a whole form or of a group of fields, announced to screen readers. */
export function FormError({ children }: { children: ReactNode }) {
  if (children === null || children === undefined) return null;
  return (
    <Input.Error fz={13} role="alert">
      {children}
    </Input.Error>
  );
}
