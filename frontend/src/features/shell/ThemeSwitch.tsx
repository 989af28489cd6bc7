/** Light, dark or system theme, stored in this browser. */
import { Menu, useMantineColorScheme } from "@mantine/core";
import classes from "./ThemeSwitch.module.css";
import { Icon, type IconName } from "@/ui/Icon";

const CHOICES = [
  { value: "light", label: "Light", icon: "sun" },
  { value: "dark", label: "Dark", icon: "moon" },
  { value: "auto", label: "System", icon: "screen" },
] as const satisfies readonly { value: string; label: string; icon: IconName }[];

export function ThemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const chosen = CHOICES.find(({ value }) => value === colorScheme) ?? CHOICES[2];
  return (
    <Menu withinPortal={false} position="bottom-end">
      <Menu.Target>
        <button
          type="button"
          className={classes.target}
          aria-label={`Theme: ${chosen.label}`}
          title={`Theme: ${chosen.label}`}
        >
          <Icon name={chosen.icon} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {CHOICES.map(({ value, label, icon }) => (
          <Menu.Item
            key={value}
            leftSection={<Icon name={icon} size={16} />}
            aria-current={value === colorScheme ? "true" : undefined}
            onClick={() => setColorScheme(value)}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
