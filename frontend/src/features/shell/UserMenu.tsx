/** The signed-in user, the role, and sign-out. */
import { Menu } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { client, unwrap } from "@/api/client";
import { sessionQuery } from "@/api/queries";
import { forgetSite } from "@/api/site-memory";
import classes from "./ThemeSwitch.module.css";
import { Icon } from "@/ui/Icon";

export function UserMenu() {
  const { data: person } = useQuery(sessionQuery);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const signOut = useMutation({
    mutationFn: () => unwrap(client.DELETE("/api/v1/session")),
    onSuccess: () => {
      forgetSite();
      queries.clear();
      void navigate("/sign-in");
    },
  });
  if (person == null) return null;
  return (
    <Menu withinPortal={false} position="bottom-end">
      <Menu.Target>
        <button
          type="button"
          className={classes.target}
          aria-label={`Signed in as ${person.username}`}
          title={`Signed in as ${person.username}`}
        >
          <Icon name="person" />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {person.name || person.username} · {person.role}
        </Menu.Label>
        <Menu.Item onClick={() => signOut.mutate()}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
