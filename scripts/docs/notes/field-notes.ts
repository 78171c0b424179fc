import { INTERRUPT_SHAPE_NOTES } from "./interrupt-shape-notes.ts";
import { MESSAGE_NOTES } from "./message-notes.ts";
import type { Notes } from "./notes.ts";
import { TEAM_SHAPE_NOTES } from "./team-shape-notes.ts";
import { TOOL_CALL_SHAPE_NOTES } from "./tool-call-shape-notes.ts";

/**
 * What each field of the protocol means, for the tables of docs/PROTOCOL.md. The notes are here and not in the schemas,
 * which are in the client's bundle too.
 */
export const FIELD_NOTES: Notes = {
  ...MESSAGE_NOTES,
  ...TEAM_SHAPE_NOTES,
  ...TOOL_CALL_SHAPE_NOTES,
  ...INTERRUPT_SHAPE_NOTES,
};

/** What fields of these names mean where a shape or message has no note on them. */
export const COMMON_FIELD_NOTES: Readonly<Record<string, string>> = {
  teamId: "Which team.",
  ref: "The call's name, unique in the root team's whole tree for as long as the team lives.",
  participant: "The participant's name.",
  path: "The participants that lead to the nested team, outermost first. Left out for the root team.",
  usage: "Tokens, and cost where the price is known.",
  severity: "How much is discarded. The default is `pause`.",
  grace: "When it stops. The default is `now`.",
};
