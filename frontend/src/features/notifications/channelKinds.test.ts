import { expect, it } from "vitest";
import type { Channel } from "@/api/notifications/queries";
import { channels } from "@/mocks/notifications";
import { channel_kinds } from "@/util/spec.json";
import {
  CHANNEL_KINDS,
  channelOfDraft,
  draftOfChannel,
  emptyChannel,
  kindSpec,
  storedSecrets,
  validateChannel,
  withChannelKind,
} from "./channelKinds";

const [MAIL] = channels(0) as [Channel];

it("has a field for every setting of every kind of the API document", () => {
  for (const { kind, settings, secrets, needs_admin } of channel_kinds) {
    const { fields, needsAdmin } = kindSpec(kind as Channel["kind"]);
    expect(fields.map(({ name }) => name)).toEqual(Object.keys(settings.properties));
    expect(fields.filter(({ isSecret }) => isSecret).map(({ name }) => name)).toEqual(
      Object.keys(settings.properties).filter((name) => (secrets as readonly string[]).includes(name)),
    );
    expect(needsAdmin).toBe(needs_admin);
  }
});

it("reads types, bounds and defaults from the schema", () => {
  const field = (name: string) => kindSpec("mail").fields.find((one) => one.name === name);
  expect(field("port")).toMatchObject({ type: "number", min: 1, max: 65_535, initial: "587" });
  expect(field("security")).toMatchObject({ type: "choice", choices: ["starttls", "tls", "none"] });
  expect(field("recipients")).toMatchObject({ type: "list", isRequired: true, initial: "" });
  expect(field("password")).toMatchObject({ isSecret: true, isRequired: false });
  const labels = CHANNEL_KINDS.flatMap(({ fields }) => fields.map(({ label }) => label));
  expect(labels).toEqual(expect.arrayContaining(["URL", "Routing key", "Expires (s)"]));
});

it("sends an edited channel back unchanged, without its secrets", () => {
  const body = channelOfDraft("argonne", draftOfChannel(MAIL), storedSecrets(MAIL, "mail"));
  expect(body).toEqual({
    site: "argonne",
    name: "operators",
    kind: "mail",
    person: "",
    enabled: true,
    config: MAIL.config,
  });
});

it("replaces a stored secret, or removes it on request", () => {
  const draft = draftOfChannel(MAIL);
  const stored = storedSecrets(MAIL, "mail");
  const config = { ...draft.config, password: "fresh" };
  expect(channelOfDraft("argonne", { ...draft, config }, stored).config).toHaveProperty("password", "fresh");
  expect(channelOfDraft("argonne", { ...draft, removed: ["password"] }, stored).config).toHaveProperty(
    "password",
    "",
  );
});

it("requires what the kind requires; a stored secret counts", () => {
  const draft = { ...emptyChannel("telegram"), name: "chat" };
  expect(Object.keys(validateChannel(draft, []))).toEqual(["config.token", "config.chat"]);
  expect(Object.keys(validateChannel(draft, ["token"]))).toEqual(["config.chat"]);
  expect(validateChannel({ ...draft, name: "not a name" }, [])).toHaveProperty("name");
});

it("forgets settings and stored secrets of another kind", () => {
  const draft = withChannelKind(draftOfChannel(MAIL), "webhook");
  expect(draft.config).toEqual({ url: "", secret: "", token: "" });
  expect(storedSecrets(MAIL, "webhook")).toEqual([]);
  expect(draft.name).toBe("operators");
});
