/**
 * The theme: light, dark or the system's, stored in this browser.
 *
 * Mantine writes its variables and classes into style elements, which the content security policy rejects; tokens.css
 * has them instead. Inline styles of components use the CSSOM.
 */
import { createTheme, localStorageColorSchemeManager, MantineProvider } from "@mantine/core";
import type { ReactNode } from "react";

const theme = createTheme({
  primaryColor: "teal",
  fontFamily: '"Inter Variable", system-ui, sans-serif',
  defaultRadius: 4,
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    Checkbox: { defaultProps: { iconColor: "var(--on-accent)" } },
    // Descriptions stand below the field, so that adjacent fields are in one line.
    InputWrapper: { defaultProps: { inputWrapperOrder: ["label", "input", "description", "error"] } },
  },
});

/** A wallboard sets its own theme, which must not become the one of who works at this browser. */
const isWallboard = /^\/wall\/?$/.test(globalThis.location?.pathname ?? "");
const manager = localStorageColorSchemeManager({
  key: isWallboard ? "backstay.wallboard-theme" : "backstay.theme",
});

export function Theme({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      colorSchemeManager={manager}
      defaultColorScheme={isWallboard ? "dark" : "auto"}
      withCssVariables={false}
      withGlobalClasses={false}
    >
      {children}
    </MantineProvider>
  );
}
