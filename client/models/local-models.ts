import * as z from "zod";

/** A model that a server on this computer offers. */
export interface LocalModel {
  /** The server's name. */
  readonly server: string;
  readonly model: string;
  readonly baseUrl: string;
}

/** The servers of models that people run, at their own default ports. Both have OpenAI's API below `/v1`. */
const SERVERS = [
  { server: "Ollama", baseUrl: "http://127.0.0.1:11434/v1" },
  { server: "LM Studio", baseUrl: "http://127.0.0.1:1234/v1" },
] as const;

/** How long a server may take to list its models, in milliseconds: it is on this computer. */
const TIMEOUT_MS = 2_000;

/** The longest list that is read, in characters. */
const LONGEST_LIST = 1_000_000;

/** OpenAI's `GET /models` (https://platform.openai.com/docs/api-reference/models/list). */
const ModelList = z.object({ data: z.array(z.object({ id: z.string().min(1).max(200) })).max(1_000) });

/** The models of the servers that run now, without those for embeddings. A server that does not answer has none. */
export async function localModels(servers: readonly Omit<LocalModel, "model">[] = SERVERS): Promise<LocalModel[]> {
  const lists = await Promise.all(
    servers.map(async (server) => (await modelsOf(server)).map((model) => ({ ...server, model }))),
  );
  return lists.flat();
}

async function modelsOf({ baseUrl }: Pick<LocalModel, "baseUrl">): Promise<string[]> {
  try {
    const response = await fetch(`${baseUrl}/models`, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: "error" });
    const text = await response.text();
    if (!response.ok || text.length > LONGEST_LIST) return [];
    const models = ModelList.parse(JSON.parse(text)).data.map(({ id }) => id);
    return models.filter((id) => !/embed/i.test(id));
  } catch {
    // Nothing listens there, or something else does.
    return [];
  }
}
