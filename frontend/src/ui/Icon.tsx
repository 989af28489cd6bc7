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
  fabrics: <path d="M3 6h14M3 10h14M3 14h14M6 3v14M14 3v14" />,
  hold: <path d="M5 3h10M5 17h10M6 3c0 4 8 5 8 7s-8 3-8 7M14 3c0 4-8 5-8 7s8 3 8 7" />,
  devices: <path d="M3 4h14v5H3zM3 11h14v5H3zM6 6.5h.01M6 13.5h.01M10 6.5h4M10 13.5h4" />,
  links: (
    <path d="M8 12a3 3 0 0 1 0-4l3-3a3 3 0 0 1 4 4l-1.5 1.5M12 8a3 3 0 0 1 0 4l-3 3a3 3 0 0 1-4-4l1.5-1.5" />
  ),
  arp: <path d="M3 4h6v5H3zM11 11h6v5h-6zM9 6.5h4.5V11M6 9v4.500h5" />,
  circuits: <path d="M3 10h3M14 10h3M6 7h8v6H6zM8.5 10h3" />,
  clocks: <path d="M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM10 6v4l3 2" />,
  neighbours: <path d="M3 4h5v4H3zM12 4h5v4h-5zM7.5 12h5v4h-5zM5.5 8v2h9V8M10 10v2" />,
  extension: (
    <path d="M3 3h8v14H3zM3 7.5h8M3 12h8M11 14.500h3M14 12.500h3v4h-3zM7 5.2h.01M7 9.8h.01M7 14.500h.01" />
  ),
  paths: <path d="M3 14h3c4 0 4-8 8-8h3M14 3l3 3-3 3M3 6h3M14 14h3" />,
  policies: <path d="M3 4h14M3 8h9M3 12h14M3 16h6M14 14l2 2 3-4" />,
  tests: <path d="M3 17h14M3 17V3M6.500 17v-5M10 17V9M13.500 17V5M17 17v-9" />,
  changes: <path d="M5 3v10M5 13l-2.500-2.500M5 13l2.500-2.500M15 17V7M15 7l-2.500 2.500M15 7l2.500 2.500" />,
  drift: <path d="M3 6h8c5 0 5 0 6 0M3 10h5c4 0 4 4 9 4M3 14h4" />,
  drills: <path d="M10 3a7 7 0 1 1-7 7M3 4v6h6M10 7v3.500l2.500 1.500" />,
  incidents: <path d="M10 3 18 16.5H2zM10 8v4M10 14.2v.1" />,
  maintenance: <path d="M3 5h14v12H3zM3 8.500h14M7 3v4M13 3v4M7.5 12.500l2 2 3.500-3.500" />,
  rules: <path d="M3 5h14M3 10h14M3 15h14M7 3.500v3M13 8.500v3M9 13.500v3" />,
  notifications: <path d="M5 14V9a5 5 0 0 1 10 0v5l1.500 1.500h-13zM8.500 17.500h3M10 2v2" />,
  events: <path d="M4 4h.01M8 4h9M4 10h.01M8 10h9M4 16h.01M8 16h9" />,
  settings: <path d="M3 6h7M14 6h3M3 14h3M10 14h7M12 4v4M8 12v4" />,
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
