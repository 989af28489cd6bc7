/** Icons on a 20 px grid in the text colour, always next to a label. */
import type { ReactNode } from "react";

const SHAPES = {
  overview: <path d="M3 3h6v6H3zM11 3h6v4h-6zM11 9h6v8h-6zM3 11h6v6H3z" />,
  map: (
    <>
      <circle cx="4.5" cy="10" r="2" />
      <circle cx="15.5" cy="4.5" r="2" />
      <circle cx="15.5" cy="15.5" r="2" />
      <path d="M6.4 9.1 13.6 5.4M6.4 10.9l7.2 3.7" />
    </>
  ),
  arp: <path d="M3 4h6v5H3zM11 11h6v5h-6zM9 6.5h4.5V11M6 9v4.500h5" />,
  paths: <path d="M3 14h3c4 0 4-8 8-8h3M14 3l3 3-3 3M3 6h3M14 14h3" />,
  tests: <path d="M3 17h14M3 17V3M6.500 17v-5M10 17V9M13.500 17V5M17 17v-9" />,
  incidents: <path d="M10 3 18 16.5H2zM10 8v4M10 14.2v.1" />,
  settings: <path d="M3 6h7M14 6h3M3 14h3M10 14h7M12 4v4M8 12v4" />,
  help: (
    <path d="M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM8 8a2 2 0 1 1 2.800 1.800c-.6.3-.8.6-.8 1.200M10 13.800v.1" />
  ),
  search: <path d="M9 3a6 6 0 1 1 0 12A6 6 0 0 1 9 3zM13.5 13.5 17 17" />,
  clock: <path d="M10 3a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM10 6v4l3 2" />,
  person: <path d="M10 3.5a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM4 17c.5-3.5 3-5 6-5s5.5 1.5 6 5" />,
  sun: (
    <path d="M10 6.500a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM10 2v2M10 16v2M2 10h2M16 10h2M4.3 4.300l1.4 1.400M14.3 14.300l1.4 1.400M4.3 15.700l1.4-1.400M14.3 5.700l1.4-1.4" />
  ),
  moon: <path d="M16.5 11.500A7 7 0 0 1 8.5 3.500a7 7 0 1 0 8 8z" />,
  screen: <path d="M3 4h14v9H3zM7 17h6M10 13v4" />,
  menu: <path d="M3 5h14M3 10h14M3 15h14" />,
  close: <path d="M5 5l10 10M15 5 5 15" />,
  fold: <path d="M12 5l-5 5 5 5" />,
  unfold: <path d="M8 5l5 5-5 5" />,
  down: <path d="M5 8l5 5 5-5" />,
  pause: <path d="M7 4v12M13 4v12" />,
  play: <path d="M6 4l10 6-10 6z" />,
  download: <path d="M10 3v9M6 9l4 4 4-4M4 17h12" />,
  copy: <path d="M7 7h10v10H7zM13 7V3H3v10h4" />,
  table: <path d="M3 4h14v12H3zM3 8h14M3 12h14M8 4v12" />,
  chart: <path d="M3 3v14h14M6 13l3-4 3 2 4-6" />,
  back: <path d="M9 5l-5 5 5 5M4 10h12" />,
} satisfies Record<string, ReactNode>;

export type IconName = keyof typeof SHAPES;

/** `size` in CSS pixels; hidden from assistive technology because a label follows. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {SHAPES[name]}
    </svg>
  );
}
