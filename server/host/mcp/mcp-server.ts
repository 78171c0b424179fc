import { statSync } from "node:fs";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { McpElicit, McpSignIn } from "../../../shared/contract/client-requests.ts";
import { messageOf } from "../../../shared/contract/errors.ts";
import { unlessAborted } from "../../engine/cancellation/unless-aborted.ts";
import type { Tool } from "../../engine/index.ts";
import {
  type ListedTool,
  loadMcp,
  type McpConnection,
  type Offers,
  type ServerAddress,
  type SignInStore,
} from "../../mcp/index.ts";
import type { ClientRequests } from "../client-services/client-requests.ts";
import type { AllowedPrograms } from "../client-services/program-permissions.ts";
import type { UserConsent } from "../client-services/user-consent.ts";
import type { HostLog } from "../log/host-log.ts";
import { enteredInputs } from "./entered-inputs.ts";
import { type McpFetch, serverEnvironment } from "./server-environment.ts";
import {
  providerText,
  type ServerSpec,
  signInName,
  specKey,
  startProblem,
  wantedProgram,
  withValues,
} from "./server-spec.ts";
import { resourceTools, serverTool } from "./server-tools.ts";

/** What servers need of the host. */
export interface McpServices {
  readonly client: ClientRequests;
  readonly programs: AllowedPrograms;
  readonly consent: UserConsent;
  /** Sends requests to a server. */
  readonly fetch: (server: URL) => McpFetch;
  readonly log: HostLog;
  /** Shows the user a sentence. */
  readonly notifyUser: (message: string) => void;
}

/** Ends by itself so often before it is given up until the run is over. */
const MAX_ENDS = 3;
/** How long it may take to list what it offers, in milliseconds. */
const OFFERS_MS = 5_000;

/** A start that is under way. */
interface Starting {
  readonly kind: "starting";
  readonly done: Promise<void>;
  /** How many wait for it. */
  waiting: number;
  /** Takes the questions to the user back. */
  readonly asking: AbortController;
  /** Gives the start up. */
  readonly cancel: AbortController;
}

type State =
  | { readonly kind: "stopped" }
  | Starting
  | { readonly kind: "running"; readonly connection: McpConnection; readonly tools: readonly Tool[] }
  | { readonly kind: "failed"; readonly problem: string };

/** One server: started when its tools are first needed, after the user has allowed it, and until it is stopped. */
export class McpServer {
  readonly spec: ServerSpec;
  readonly provider: string;
  readonly #services: McpServices;
  readonly #changed: () => void;
  #state: State = { kind: "stopped" };
  #ends = 0;
  #offered: Offers = { prompts: [], resources: [], templates: [] };
  #knownTools: readonly ListedTool[] = [];
  /** The user has stopped it. */
  #isHalted = false;

  constructor(spec: ServerSpec, services: McpServices, changed: () => void) {
    this.spec = spec;
    this.provider = providerText(spec);
    this.#services = services;
    this.#changed = changed;
  }

  /** Names it among all servers. */
  get id(): string {
    return specKey(this.spec);
  }

  get state(): State["kind"] {
    return this.#state.kind;
  }

  /** Its tools, if it runs; their names begin with its own. */
  get tools(): readonly Tool[] {
    return this.#state.kind === "running" ? this.#state.tools : [];
  }

  /** The tools that it had when it last ran. */
  get knownTools(): readonly Pick<ListedTool, "name" | "description">[] {
    return this.#knownTools;
  }

  /** What it offers users; of a server that does not run, what it offered last. */
  async offers(): Promise<Offers> {
    if (this.#state.kind === "running")
      this.#offered = await this.#state.connection.offers.all(AbortSignal.timeout(OFFERS_MS));
    return this.#offered;
  }

  /** Why it does not run, as a sentence; undefined if nothing is wrong with it. */
  get problem(): string | undefined {
    if (this.#isHalted) return `The MCP server "${this.spec.name}" was stopped by the user.`;
    return this.#state.kind === "failed" ? this.#state.problem : undefined;
  }

  /** Resolves when it runs, cannot be started, or `signal` aborts. One that could not be started is not tried again. */
  async ready(signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.#isHalted || this.#state.kind === "running" || this.#state.kind === "failed") return;
    const starting = this.#state.kind === "starting" ? this.#state : this.#start();
    starting.waiting += 1;
    await unlessAborted(starting.done, signal);
    starting.waiting -= 1;
    // Once the user has allowed it, it is started also after an interrupt: it will be needed again.
    if (starting.waiting === 0) starting.asking.abort();
  }

  /** Starts it again, whatever happened before. */
  async restart(signal: AbortSignal): Promise<void> {
    await this.#end();
    this.#isHalted = false;
    this.#ends = 0;
    await this.ready(signal);
  }

  /** Ends it until the user starts it. */
  async halt(): Promise<void> {
    this.#isHalted = true;
    await this.#end();
  }

  /** It may be tried again: the run in which it failed is over. */
  forgive(): void {
    this.#ends = 0;
    if (this.#state.kind === "failed") this.#set({ kind: "stopped" });
  }

  /** Ends it; it is started again when it is needed. */
  async stop(): Promise<void> {
    await this.#end();
  }

  /** The connection of a running server. @throws Error that says why there is none. */
  async connected(signal: AbortSignal): Promise<McpConnection> {
    await this.ready(signal);
    signal.throwIfAborted();
    if (this.#state.kind === "running") return this.#state.connection;
    throw new Error(this.problem ?? `The MCP server "${this.spec.name}" does not run.`);
  }

  #start(): Starting {
    const asking = new AbortController();
    const cancel = new AbortController();
    const { promise, resolve } = Promise.withResolvers<void>();
    const state: Starting = { kind: "starting", waiting: 0, asking, cancel, done: promise };
    this.#set(state);
    void this.#open(state).finally(resolve);
    return state;
  }

  async #open(state: Starting): Promise<void> {
    const { name } = this.spec;
    const { programs, log, notifyUser } = this.#services;
    const asked = AbortSignal.any([state.asking.signal, state.cancel.signal]);
    const isCurrent = (): boolean => this.#state === state;
    try {
      if (this.spec.problem !== undefined) throw new Error(this.spec.problem);
      if (!(await programs.isAllowed(wantedProgram(this.spec), asked))) {
        if (!isCurrent()) return;
        const problem = `The MCP server "${name}" was not started, as the user did not allow it.`;
        this.#set(asked.aborted ? { kind: "stopped" } : { kind: "failed", problem });
        return;
      }
      const address = await this.#address(asked);
      const connection = await this.#connect(address, state.cancel.signal);
      if (!isCurrent()) return await connection.close();
      this.#set({ kind: "running", connection, tools: this.#toolsOf(connection.tools, connection) });
      log.info(`The MCP server "${name}" runs with ${connection.tools.length} tools.`);
    } catch (error) {
      if (!isCurrent()) return;
      if (asked.aborted) return this.#set({ kind: "stopped" });
      const problem = startProblem(this.spec, messageOf(error));
      this.#set({ kind: "failed", problem });
      log.warn(problem);
      notifyUser(problem);
    }
  }

  async #connect(address: ServerAddress, signal: AbortSignal): Promise<McpConnection> {
    const { name, folders } = this.spec;
    const { client, consent, log } = this.#services;
    const { McpConnection } = await loadMcp();
    return McpConnection.open(
      {
        name,
        address,
        roots: () => folders.map((path) => ({ uri: pathToFileURL(path).href, name: basename(path) })),
        elicit: (question, asked) => consent.during(client.send(McpElicit, { server: name, question }, asked)),
        log: (line) => log.info(`MCP server "${name}": ${line}`),
        toolsChanged: (tools) => {
          if (this.#state.kind !== "running") return;
          const { connection } = this.#state;
          this.#set({ kind: "running", connection, tools: this.#toolsOf(tools, connection) });
        },
        closed: (why) => this.#closed(why),
      },
      signal,
    );
  }

  /** Where the server is, with everything filled in. @throws Error with the rest of a sentence. */
  async #address(signal: AbortSignal): Promise<ServerAddress> {
    const { server } = this.spec;
    const { start } = wantedProgram(this.spec);
    const texts =
      "url" in start
        ? [start.url, ...Object.values(start.headers), start.oauth?.clientSecret ?? ""]
        : [start.command, ...start.args, ...Object.values(start.environment)];
    const inputs = await enteredInputs(texts, this.spec, this.#services, signal).catch((error: unknown) => {
      throw new Error(`was not started, as ${messageOf(error)}`);
    });
    const fill = (text: string): string => withValues(text, inputs);
    const fillAll = (values: Readonly<Record<string, string>>): Record<string, string> =>
      Object.fromEntries(Object.entries(values).map(([key, value]) => [key, fill(value)]));
    if ("url" in start) {
      const { headers, oauth } = start;
      const url = URL.parse(fill(start.url));
      if (url === null) throw new Error("could not be started, as its url with what was filled in is no address");
      const { href } = url;
      const secret = oauth?.clientSecret === undefined ? {} : { clientSecret: fill(oauth.clientSecret) };
      const client = oauth === undefined ? {} : { client: { clientId: oauth.clientId, ...secret } };
      const isSse = "type" in server && server.type === "sse";
      const signIn = this.#signInAt(signInName(start.url, href));
      const fetch = this.#services.fetch(url);
      return { http: { url: href, isSse, headers: fillAll(headers), fetch, signIn, ...client } };
    }
    const { command, args, folder, environment } = start;
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
      throw new Error(`could not be started, as its folder ${folder} does not exist`);
    const env = { ...serverEnvironment(), ...fillAll(environment) };
    return { program: { command: fill(command), args: args.map(fill), cwd: folder, env } };
  }

  /** The client keeps it as a secret, for this address alone. */
  #signInAt(url: string): SignInStore {
    const { client } = this.#services;
    return {
      get: async () => (await client.send(McpSignIn, { url })).value ?? undefined,
      set: async (value) => void (await client.send(McpSignIn, { url, value: value ?? null })),
    };
  }

  #toolsOf(listed: readonly ListedTool[], connection: McpConnection): readonly Tool[] {
    this.#knownTools = listed;
    const tools = listed.map((tool) => serverTool(this, tool));
    const names = new Set(tools.map(({ declaration }) => declaration.name));
    const more = connection.hasResources ? resourceTools(this) : [];
    return [...tools, ...more.filter(({ declaration }) => !names.has(declaration.name))];
  }

  #closed(why: string): void {
    if (this.#state.kind !== "running") return;
    this.#ends += 1;
    const ended = `The MCP server "${this.spec.name}" ${why}.`;
    this.#services.log.warn(ended);
    if (this.#ends < MAX_ENDS) {
      this.#set({ kind: "stopped" });
      return;
    }
    const problem = `${ended} It is not started again in this run; the log (Gavel: Show Log) says more.`;
    this.#set({ kind: "failed", problem });
    this.#services.notifyUser(problem);
  }

  async #end(): Promise<void> {
    const state = this.#state;
    this.#set({ kind: "stopped" });
    if (state.kind === "starting") state.cancel.abort();
    if (state.kind === "running") await state.connection.close();
  }

  #set(state: State): void {
    this.#state = state;
    this.#changed();
  }
}
