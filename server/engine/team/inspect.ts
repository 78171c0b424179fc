import type { StateInspection } from "../../../shared/contract/inspection.ts";
import { firstLine, textOf } from "../../../shared/contract/message-text.ts";
import { ownValue } from "../../../shared/json-record.ts";
import { countOf } from "../count-of.ts";
import { toolsInFlight } from "../interrupts/preview.ts";
import type { ContextItem } from "../model.ts";
import { pathField } from "../paths.ts";
import { type TeamTree, teamsIn } from "../run/team-tree.ts";

/** How much of the manager's note is shown, in characters. */
const NOTE_LENGTH = 2_000;

type Contexts = StateInspection["contexts"];

/** Inspects a team and its nested teams, whose conditions must be restored. */
export function inspectTeam(tree: TeamTree): StateInspection {
  const { pendingTools, queued, note } = tree.ledger.state;
  const teams = [...teamsIn(tree)];
  return {
    speakers: teams.flatMap(({ team, path }) =>
      team.ledger.state.participants.map(({ name, activity, turns = 0, lastLine }) => ({
        participant: name,
        ...pathField(path),
        activity,
        turns,
        ...(lastLine === undefined ? {} : { lastLine }),
      })),
    ),
    contexts: teams.flatMap(({ team, path }) => contextsOf(team, path)),
    tools: teams.flatMap(({ team, path }) => toolsInFlight(team, path)),
    pendingTools: [...pendingTools],
    queued: [...queued],
    conditions: teams.flatMap(({ team, path }) =>
      conditionsOf(team).map((report) => ({ ...report, ...pathField(path) })),
    ),
    ...(note === undefined ? {} : { note: JSON.stringify(note).slice(0, NOTE_LENGTH) }),
  };
}

/** What the models of the team's own assistants are shown. */
function contextsOf({ ledger, transcript, contextOf }: TeamTree, path: readonly string[]): Contexts {
  const speakers = ledger.state.participants.filter(({ kind }) => kind === "assistant");
  return speakers.map(({ name }) => {
    const { first, tail, ...figures } = transcript.shownTo(
      name,
      contextOf(name),
      ownValue(ledger.state.contexts, name)?.summary,
    );
    return {
      participant: name,
      ...pathField(path),
      ...figures,
      ...(first === undefined ? {} : { firstShown: lineOf(first, name) }),
      tail: tail.map((item) => lineOf(item, name)),
    };
  });
}

function conditionsOf({ conditions, maxTurns, ledger }: TeamTree): StateInspection["conditions"] {
  const reports = conditions.describe();
  if (maxTurns === undefined) return reports;
  const { turn } = ledger.state;
  const turns = countOf(maxTurns, "turn");
  const text = `Ends the run after ${turns}.`;
  return [...reports, { kind: "maxTurns", text, progress: `${turn} of ${turns}`, fired: turn >= maxTurns }];
}

function lineOf(item: ContextItem, self: string): string {
  switch (item.role) {
    case "user":
      return `${item.source}: ${firstLine(textOf({ content: typeof item.content === "string" ? item.content : [...item.content] }))}`;
    case "assistant": {
      const calls = item.calls.map(({ name }) => name).join(", ");
      const parts = [firstLine(item.content), calls === "" ? "" : `[calls ${calls}]`].filter((part) => part !== "");
      return `${self}: ${parts.join(" ")}${item.partial ? "…" : ""}`;
    }
    case "tool":
      return `${item.name}: ${firstLine(typeof item.output === "string" ? item.output : JSON.stringify(item.output))}`;
    default:
      return item satisfies never;
  }
}
