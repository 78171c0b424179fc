import { type QuickPickItem, QuickPickItemKind, window } from "vscode";
import type { ParamsOf } from "../../../shared/contract/message-type.ts";
import { AgentsFind, type FoundAgent, TeamChangeParticipants } from "../../../shared/contract/requests.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import { countText } from "../../../shared/text/count-text.ts";
import { listText } from "../../../shared/text/list-text.ts";
import { participantPath } from "../../../shared/text/nested-teams.ts";
import { plainText } from "../../common/plain-text.ts";
import { askModal } from "../../dialogs/ask-modal.ts";
import { askText } from "../../dialogs/ask-text.ts";
import { iconOf, roleOf } from "../../text/activity-text.ts";
import { requireTrust } from "../../trust.ts";
import type { Command, Services } from "../command.ts";
import { addressIn } from "../messages/message-participant.ts";
import { agentRows, isAgentRow, nameOf } from "./found-agents.ts";
import { offerToWrite } from "./write-team-file.ts";

type Change = Omit<ParamsOf<typeof TeamChangeParticipants>, "teamId">;

/** A participant of the open team, or of a nested one: the names that lead to it, its own last. */
type Place = readonly string[];

/** Adds a participant to the active team: an agent that was found, or one by name and instructions. */
export const addParticipant: Command = async (services) => {
  const team = await teamAtRest(services);
  const added = await pickNew(services, "Add Participant", namesIn(team));
  if (added === undefined) return;
  const edges = team.kind === "graph" ? await pickEdges(team, String(added["name"])) : {};
  if (edges !== undefined) await change(services, { changes: [{ add: added, ...edges }] });
};

/** Removes a participant of the active team: given by the Participants view, or picked. */
export const removeParticipant: Command = async (services, argument) => {
  const team = await teamAtRest(services);
  const place = await placeFor(team, argument, "Remove Participant");
  if (place === undefined) return;
  const name = place.at(-1) ?? "";
  if (!(await mayLeave(team, place, "Remove"))) return;
  await change(services, { ...within(place), changes: [{ remove: name, bridge: true }] });
};

/** Puts another participant in the place of one: given by the Participants view, or picked. */
export const replaceParticipant: Command = async (services, argument) => {
  const team = await teamAtRest(services);
  const place = await placeFor(team, argument, "Replace Participant");
  if (place === undefined) return;
  const name = place.at(-1) ?? "";
  const others = namesIn(team).filter((one) => one !== name);
  const next = await pickNew(services, `Replace ${name}`, others);
  if (next === undefined) return;
  const named = await pickName(name, String(next["name"]));
  if (named === undefined || !(await mayLeave(team, place, "Replace"))) return;
  await change(services, { ...within(place), changes: [{ replace: name, with: { ...next, name: named } }] });
};

/** The active team, which must not be running. @throws Error that says to interrupt it. */
async function teamAtRest({ actions, opener }: Services): Promise<TeamState> {
  requireTrust();
  await opener.restore();
  const { team } = actions;
  if (actions.isRunning) throw new Error("The team is running. Interrupt first, then change its participants.");
  return team;
}

async function change({ actions, host, ...services }: Services, wanted: Change): Promise<void> {
  const { teamId, uri } = actions.team;
  await host.request(TeamChangeParticipants, { teamId, ...wanted });
  if (uri !== undefined) await offerToWrite({ ...services, actions, host }, { teamId, uri });
}

const within = (place: Place): Pick<Change, "within"> => (place.length < 2 ? {} : { within: place.slice(0, -1) });

const namesIn = ({ participants }: TeamState): string[] => participants.map(({ name }) => name);

type Row = QuickPickItem & { readonly start?: "assistant" | "user" | "own" };

/** The definition of a new participant; undefined when a list was closed. */
async function pickNew(
  { host }: Services,
  title: string,
  taken: readonly string[],
  own = false,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const { agents } = await host.request(AgentsFind, { own });
  const starts: Row[] = [
    { label: "$(add) New Assistant…", detail: "By a name and instructions; it reads files.", start: "assistant" },
    ...(taken.includes("user")
      ? []
      : [{ label: "$(account) You", detail: "Takes your turn.", start: "user" as const }]),
    ...(own ? [] : [{ label: "$(home) Your Own Agents…", detail: "From ~/.claude/agents.", start: "own" as const }]),
  ];
  const rows: QuickPickItem[] = [
    ...agentRows(agents),
    { label: "Other", kind: QuickPickItemKind.Separator },
    ...starts,
  ];
  const picked = await window.showQuickPick(rows, {
    title: plainText(title),
    placeHolder: "Select an agent of your workspace, or describe one",
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (picked === undefined) return undefined;
  if (isAgentRow(picked)) return named(picked.agent, taken);
  const { start } = picked as Row;
  if (start === "own") return pickNew({ host } as Services, title, taken, true);
  return start === "user" ? { name: "user", kind: "user" } : describe(title, taken);
}

/** The participant of an agent file, under a name that is free. */
async function named(
  agent: FoundAgent,
  taken: readonly string[],
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const name = nameOf(agent);
  if (!taken.includes(name)) return agent.participant;
  const other = await askName(`${name} is there already`, taken, `${name}2`);
  return other === undefined ? undefined : { ...agent.participant, name: other };
}

async function describe(
  title: string,
  taken: readonly string[],
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const name = await askName(title, taken, "");
  if (name === undefined) return undefined;
  const instructions = await askText({
    title: `${title}: ${name}`,
    prompt: `What should ${name} do? These are its instructions.`,
    placeHolder: "Review each change for mistakes, and say which file and line to correct.",
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === "" ? "Say in a sentence what it should do." : undefined),
  });
  return instructions === undefined
    ? undefined
    : { name, instructions, tools: ["readFile", "listFiles", "searchText"] };
}

const askName = (title: string, taken: readonly string[], value: string): Thenable<string | undefined> =>
  askText({
    title: plainText(title),
    prompt: "Name of the participant",
    value,
    ignoreFocusOut: true,
    validateInput: (text) => {
      if (!/^[\p{L}_][\p{L}\p{N}_-]{0,63}$/u.test(text))
        return "Use up to 64 letters, digits, _ and -, and start with a letter.";
      return taken.includes(text) || text === "user" ? `"${text}" is taken. Choose another name.` : undefined;
    },
  });

/** The name of one that comes in another's place; undefined when the list was closed. */
async function pickName(before: string, own: string): Promise<string | undefined> {
  if (own === before || own === "user") return own;
  const items = [
    { label: `$(arrow-swap) ${plainText(own)}`, description: "its own name; handoffs and edges follow it", name: own },
    { label: `$(pinned) ${plainText(before)}`, description: "the name of the one before", name: before },
  ];
  const picked = await window.showQuickPick(items, {
    title: plainText(`Replace ${before}`),
    placeHolder: "Under which name?",
  });
  return picked?.name;
}

/** All participants, those of nested teams below theirs. */
function placesIn(
  team: TeamState,
  path: Place = [],
): readonly { readonly place: Place; readonly row: QuickPickItem }[] {
  return team.participants.flatMap((info) => {
    const place = [...path, info.name];
    const inner = team.inner?.[info.name];
    const row = {
      label: `$(${iconOf(info)}) ${plainText(participantPath(path, info.name))}`,
      description: plainText(roleOf(info)),
    };
    return [{ place, row }, ...(inner === undefined ? [] : placesIn(inner, place))];
  });
}

async function placeFor(team: TeamState, argument: unknown, title: string): Promise<Place | undefined> {
  const places = placesIn(team);
  const address = addressIn(argument);
  const known = places.find(({ place }) => place.join("/") === address);
  if (known !== undefined) return known.place;
  const picked = await window.showQuickPick(
    places.map(({ place, row }) => ({ ...row, place })),
    { title, placeHolder: "Select a participant", matchOnDescription: true },
  );
  return picked?.place;
}

/** Asks when something of a participant waits, which ends with it. */
async function mayLeave(team: TeamState, place: Place, verb: "Remove" | "Replace"): Promise<boolean> {
  const address = place.join("/");
  const isOf = (path: string): boolean => path === address || path.startsWith(`${address}/`);
  const calls = team.pendingTools.filter(({ path = [], participant }) => isOf([...path, participant].join("/"))).length;
  const messages = verb === "Replace" ? 0 : team.queued.filter(({ to }) => to !== undefined && isOf(to)).length;
  if (calls + messages === 0) return true;
  const what = [
    ...(calls === 0 ? [] : [`${countText(calls, "call")} of it ${calls === 1 ? "waits" : "wait"} for your decision`]),
    ...(messages === 0 ? [] : [`${countText(messages, "message")} ${messages === 1 ? "waits" : "wait"} for it`]),
  ];
  const detail = `${listText(what)}. They are cancelled. The messages in the thread stay.`;
  return (await askModal(`${verb} ${place.at(-1)}?`, detail, verb)) === verb;
}

/** Who a new participant of a graph speaks after, and who after it; undefined when a list was closed. */
async function pickEdges(team: TeamState, name: string): Promise<{ after: string[]; before: string[] } | undefined> {
  const pick = (placeHolder: string) =>
    window.showQuickPick(
      namesIn(team).map((one) => ({ label: plainText(one), name: one })),
      { title: plainText(`Add ${name} to the Graph`), placeHolder, canPickMany: true },
    );
  const after = await pick(`Select the participants that ${name} speaks after`);
  if (after === undefined || after.length === 0) return undefined;
  const before = await pick(`Select who speaks after ${name}; none ends the graph there`);
  return before && { after: after.map((one) => one.name), before: before.map((one) => one.name) };
}
