import { isDeepStrictEqual } from "node:util";
import { isMap, isSeq, parseDocument, type YAMLMap } from "yaml";
import type { ParticipantDefinition, TeamDefinition } from "../../../shared/contract/definition.ts";
import type { FoundAgent } from "../../../shared/contract/requests/agents.ts";

/** The keys of a team that a change of its participants may change. */
const OF_TEAM = ["graph", "selector", "termination", "interrupts", "monitors", "models"] as const;

/** The keys of a participant that a change of another one may change. */
const OF_OTHERS = ["handoffs", "capabilities"] as const;

/**
 * The text of a team file, in YAML or JSON, with the participants of another definition of the same team. What is the same
 * stays as it is written, with its comments and references; an agent that was found in a file is named by that.
 * @param before the team that the text has now.
 * @throws Error when the text has no list of participants.
 */
export function changedFileText(
  text: string,
  before: TeamDefinition,
  after: TeamDefinition,
  found: readonly FoundAgent[],
): string {
  const document = parseDocument(text, { uniqueKeys: false, logLevel: "error" });
  const written = document.get("participants");
  if (!isMap(document.contents) || !isSeq(written))
    throw new Error("The team file has no list of participants. Change it in the editor.");
  const items = [...written.items];
  const node = (value: unknown) => document.createNode(value);
  written.items = after.participants.map((participant) => {
    const at = before.participants.findIndex(({ name }) => name === participant.name);
    const known = before.participants[at];
    const item = items[at];
    if (known === undefined || !isMap(item) || !isSame(known, participant)) return node(asWritten(participant, found));
    for (const key of OF_OTHERS) change(item, key, known[key], participant[key], node);
    return item;
  });
  for (const key of OF_TEAM) change(document.contents, key, before[key], after[key], node);
  const isJson = text.trimStart().startsWith("{");
  return isJson ? `${JSON.stringify(document.toJS(), null, 2)}\n` : document.toString({ lineWidth: 120 });
}

/** Whether two definitions are one participant, as far as others do not change it. */
function isSame(before: ParticipantDefinition, after: ParticipantDefinition): boolean {
  const [{ handoffs: _, capabilities: __, ...one }, { handoffs: ___, capabilities: ____, ...other }] = [before, after];
  return isDeepStrictEqual(one, other);
}

function asWritten(participant: ParticipantDefinition, found: readonly FoundAgent[]): object {
  const { name, ...rest } = participant;
  const agent = found.find(({ reference, participant: own }) => {
    const { name: _, ...same } = own ?? {};
    return reference !== undefined && isDeepStrictEqual(same, rest);
  });
  if (agent === undefined) return participant;
  return { agent: agent.reference, ...(agent.participant?.["name"] === name ? {} : { name }) };
}

function change(map: YAMLMap, key: string, before: unknown, after: unknown, node: (value: unknown) => unknown): void {
  if (isDeepStrictEqual(before, after)) return;
  if (after === undefined) map.delete(key);
  else map.set(key, node(after));
}
