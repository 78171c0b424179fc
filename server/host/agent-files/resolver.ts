import type { Workspace } from "../../tools/index.ts";
import type { ResolveContent } from "../definition/resolved-content.ts";
import { asList, asRecord } from "../definition/unchecked-json.ts";
import type { MayRead } from "./agent-reader.ts";
import { REFERENCE_KEYS } from "./agent-reference.ts";

/** Reads the files that the content of a team file names; what does so is loaded with the first of them. */
export function resolver(
  workspace: Workspace,
  {
    uri,
    tools,
    mayRead,
  }: { readonly uri: string | undefined; readonly tools: readonly string[]; readonly mayRead: MayRead },
): ResolveContent {
  return async (content) => {
    if (!namesFiles(content)) return { content, problems: [], notes: [] };
    const { agentReader, loadReferences, resolveReferences } = await import("./agent-references.ts");
    const files = await loadReferences(content, agentReader(workspace, uri, mayRead));
    return resolveReferences(content, files, tools);
  };
}

/** Whether a team, or one nested in it, has a key that names files. */
function namesFiles(content: unknown): boolean {
  const team = asRecord(content);
  const participants = asList(team["participants"]).map(asRecord);
  return (
    [team, ...participants].some((holder) => REFERENCE_KEYS.some((key) => holder[key] !== undefined)) ||
    participants.some(({ team: inner }) => inner !== undefined && namesFiles(inner))
  );
}
