import * as z from "zod";

/** A server of models on this computer. */
export interface LocalServer {
  readonly server: string;
  readonly baseUrl: string;
  /** The ids of its models, without those for embeddings. */
  readonly models: readonly string[];
}

/** A model that a server on this computer offers. */
export interface LocalModel extends Omit<LocalServer, "models"> {
  readonly model: string;
}

/** The servers of models that people run, at their own default ports. Both have OpenAI's API below `/v1`. */
const SERVERS = [
  { server: "Ollama", baseUrl: "http://127.0.0.1:11434/v1" },
  { server: "LM Studio", baseUrl: "http://127.0.0.1:1234/v1" },
] as const;

/** How long a server may take to list its models, in milliseconds: it is on this computer. */
const TIMEOUT_MS = 2_000;

/** The longest list that is read, in bytes. */
const LONGEST_LIST = 1_000_000;

/** OpenAI's `GET /models` (https://platform.openai.com/docs/api-reference/models/list). Ollama without a model says null. */
const ModelList = z.object({
  data: z
    .array(z.object({ id: z.string().min(1).max(200) }))
    .max(1_000)
    .nullable(),
});

/** The models of the servers that run now. */
export async function localModels(servers?: Parameters<typeof localServers>[0]): Promise<LocalModel[]> {
  const running = await localServers(servers);
  return running.flatMap(({ models, ...server }) => models.map((model) => ({ ...server, model })));
}

/** The servers that run now. One may have no model yet. */
export async function localServers(servers: readonly Omit<LocalServer, "models">[] = SERVERS): Promise<LocalServer[]> {
  const found = await Promise.all(
    servers.map(async (server) => {
      const models = await modelsOf(server);
      return models === undefined ? [] : [{ ...server, models }];
    }),
  );
  return found.flat();
}

/** Undefined where nothing listens, or something else does: any program can have the port. */
async function modelsOf({ baseUrl }: Pick<LocalServer, "baseUrl">): Promise<string[] | undefined> {
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    const response = await fetch(`${baseUrl}/models`, { signal, redirect: "error" });
    if (!response.ok || response.body === null) return undefined;
    const text = await textOf(response.body);
    const models = ModelList.parse(JSON.parse(text)).data ?? [];
    return models.map(({ id }) => id).filter((id) => !/embed/i.test(id));
  } catch {
    return undefined;
  } finally {
    // Closes the connection where the answer was not read to its end.
    stop.abort();
  }
}

/** @throws Error as soon as it is longer than {@link LONGEST_LIST}. */
async function textOf(body: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let length = 0;
  let text = "";
  for await (const bytes of body) {
    length += bytes.length;
    if (length > LONGEST_LIST) throw new Error("The list of models is too long.");
    text += decoder.decode(bytes, { stream: true });
  }
  return text + decoder.decode();
}
