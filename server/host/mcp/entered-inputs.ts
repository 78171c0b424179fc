import { McpInput } from "../../../shared/contract/client-requests.ts";
import type { ProgramQuestion } from "../../../shared/contract/program.ts";
import type { ServerInput } from "../../mcp/index.ts";
import type { ClientRequests } from "../client-services/client-requests.ts";
import type { UserConsent } from "../client-services/user-consent.ts";
import { inputIds } from "./server-spec.ts";

/** What asks for inputs: an MCP server if `use` is left out. */
export interface InputAsker {
  readonly name: string;
  readonly from?: string | undefined;
  readonly use?: ProgramQuestion["use"];
  /** What its file says of them; one that it does not describe is a secret text. */
  readonly inputs: readonly ServerInput[];
}

/**
 * What the user has entered for each `${input:ID}` in the texts.
 * @throws Error with the rest of a sentence when there is none.
 */
export async function enteredInputs(
  texts: readonly string[],
  { name, from, use, inputs }: InputAsker,
  { client, consent }: { readonly client: ClientRequests; readonly consent: UserConsent },
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const values = new Map<string, string>();
  for (const id of inputIds(texts)) {
    const { type, ...described } = inputs.find((input) => input.id === id) ?? { type: "promptString", password: true };
    const asker = { server: name, ...(from === undefined ? {} : { from }), ...(use === undefined ? {} : { use }) };
    const asked = consent.during(client.send(McpInput, { ...described, id, ...asker }, signal));
    // A client that cannot ask has no value.
    const { value } = await asked.catch(() => {
      signal.throwIfAborted();
      return { value: null };
    });
    if (value === null) throw new Error(`no value was given for "${id}"`);
    values.set(id, value);
  }
  return values;
}
