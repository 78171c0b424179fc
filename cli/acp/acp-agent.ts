import { createHash } from "node:crypto";
import {
  type AgentContext,
  agent,
  type ContentBlock,
  methods,
  PROTOCOL_VERSION,
  RequestError,
} from "@agentclientprotocol/sdk";
import { GavelError } from "../../shared/contract/errors.ts";
import { TeamList, TeamOpen } from "../../shared/contract/requests.ts";
import { keyFor, keyVariable, usualKey } from "../../shared/environment-keys.ts";
import { whoIsThere } from "../../shared/text/endpoint-text.ts";
import { allowQuestion, programDetail } from "../../shared/text/program-text.ts";
import { threadName } from "../../shared/text/thread-name.ts";
import { modelIn } from "../arguments/model-option.ts";
import type { RunOptions } from "../arguments/parse.ts";
import { UsageError } from "../arguments/usage-error.ts";
import type { EndpointAsked } from "../host/client-answers.ts";
import { HostClient } from "../host/host-client.ts";
import { HostError } from "../host/host-errors.ts";
import { fileUri } from "../run/open-thread.ts";
import { existingFolder, findStore } from "../stores/find-store.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import { shownLine } from "../text/shown-text.ts";
import { VERSION } from "../version.ts";
import { AcpSession } from "./acp-session.ts";
import { askWhether } from "./ask-client.ts";
import { defaultTeam } from "./default-team.ts";
import { isMode } from "./modes.ts";
import { promptOf } from "./prompt-content.ts";

/** A host for each folder that the client opens, and the sessions in it. */
export class AcpAgent implements AsyncDisposable {
  readonly #options: RunOptions;
  readonly #origins: Set<string>;
  readonly #telemetry: Telemetry | undefined;
  readonly #hosts = new Map<string, Promise<HostClient>>();
  readonly #sessions = new Map<string, AcpSession>();
  /** The session that was prompted last: its client's user is asked. */
  #asking: { readonly id: string; readonly client: AgentContext } | undefined;

  /** @param origins to which the user allows messages and keys. */
  constructor(
    options: RunOptions,
    { origins, telemetry }: { readonly origins: readonly string[]; readonly telemetry: Telemetry | undefined },
  ) {
    this.#options = options;
    this.#telemetry = telemetry;
    this.#origins = new Set(origins);
  }

  /** The handlers of an agent of the Agent Client Protocol. */
  app() {
    return agent({ name: "gavel" })
      .onRequest(methods.agent.initialize, ({ params }) => ({
        protocolVersion: Math.min(params.protocolVersion, PROTOCOL_VERSION),
        agentCapabilities: {
          loadSession: true,
          promptCapabilities: { image: true, embeddedContext: true },
          sessionCapabilities: { list: {} },
        },
        agentInfo: { name: "gavel", title: "Gavel", version: VERSION },
        authMethods: [],
      }))
      .onRequest(methods.agent.session.new, ({ params, client }) =>
        refusing(async () => {
          const { file } = this.#options;
          const team = file === undefined ? { definition: defaultTeam() } : { uri: fileUri(file) };
          const session = await this.#open(params.cwd, team, client);
          await session.prepare();
          setImmediate(() => session.offerCommands());
          return { sessionId: session.id, modes: session.modes };
        }),
      )
      .onRequest(methods.agent.session.load, ({ params, client }) =>
        refusing(async () => {
          const session = await this.#open(params.cwd, { teamId: params.sessionId }, client);
          await session.prepare();
          await session.replay();
          session.offerCommands();
          return { modes: session.modes };
        }),
      )
      .onRequest(methods.agent.session.list, ({ params }) =>
        refusing(async () => {
          const cwd = params.cwd ?? this.#options.folder;
          const { teams } = await (await this.#host(cwd)).request(TeamList, {});
          const uri = this.#options.file === undefined ? undefined : fileUri(this.#options.file);
          const own = teams.filter((team) => team.uri === uri);
          return {
            sessions: own.map((team) => ({
              sessionId: team.teamId,
              cwd,
              title: team.title ?? team.lastLine ?? threadName(team),
              updatedAt: team.updatedAt,
            })),
          };
        }),
      )
      .onRequest(methods.agent.session.setMode, ({ params }) =>
        refusing(async () => {
          if (!isMode(params.modeId)) throw RequestError.invalidParams(undefined, `there is no mode ${params.modeId}`);
          await this.#session(params.sessionId).setMode(params.modeId);
          return {};
        }),
      )
      .onRequest(methods.agent.session.prompt, ({ params, client }) =>
        refusing(() => this.#prompt(params.sessionId, params.prompt, client)),
      )
      .onNotification(methods.agent.session.cancel, ({ params }) => this.#sessions.get(params.sessionId)?.cancel());
  }

  /** Interrupts every session, and ends the hosts. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const session of this.#sessions.values()) session[Symbol.dispose]();
    const hosts = await Promise.allSettled(this.#hosts.values());
    await Promise.all(
      hosts.map((host) => (host.status === "fulfilled" ? host.value[Symbol.asyncDispose]() : undefined)),
    );
  }

  async #prompt(id: string, blocks: readonly ContentBlock[], client: AgentContext) {
    const session = this.#session(id);
    this.#asking = { id, client };
    return session.prompt(promptOf(blocks));
  }

  #session(id: string): AcpSession {
    const session = this.#sessions.get(id);
    if (session === undefined) throw RequestError.sessionNotFound(id);
    return session;
  }

  async #open(
    cwd: string,
    team: { readonly teamId?: string; readonly uri?: string; readonly definition?: unknown },
    client: AgentContext,
  ): Promise<AcpSession> {
    const folder = existingFolder(cwd);
    const host = await this.#host(folder);
    const snapshot = await host.request(TeamOpen, team);
    const known = this.#sessions.get(snapshot.teamId);
    // Its prompt would never be answered, and could not be cancelled.
    known?.requireRest();
    known?.[Symbol.dispose]();
    const session = new AcpSession({
      host,
      snapshot,
      folder,
      client,
      options: this.#options,
      telemetry: this.#telemetry,
    });
    this.#sessions.set(session.id, session);
    return session;
  }

  #host(cwd: string): Promise<HostClient> {
    const folder = existingFolder(cwd);
    const known = this.#hosts.get(folder);
    if (known !== undefined) return known;
    const started = HostClient.start({
      share: true,
      remote: undefined,
      store: findStore(folder, { own: this.#options.ownStore }),
      folder,
      answers: {
        key: (secret, asked) => this.#key(secret, asked),
        allowsEndpoint: (asked) => this.#allows(asked),
        allowsProgram: async (question) =>
          this.#options.allowPrograms.includes(question.digest) ||
          this.#ask(allowQuestion(question), programDetail(question)),
        setting: (section) => (section === "gavel.model" ? defaultModel(this.#options.model) : null),
        tell: (_, message) => void process.stderr.write(`${shownLine(message)}\n`),
      },
    });
    this.#hosts.set(folder, started);
    // The next session tries again, and a host that ended is replaced.
    const forget = (): boolean => this.#hosts.delete(folder);
    started.then((host) => host.died.catch(forget), forget);
    return started;
  }

  async #key(secret: string, asked: Omit<EndpointAsked, "secret">): Promise<string | null> {
    const usual = usualKey(secret, asked.origin, process.env);
    if (usual !== null) return usual;
    const key = keyFor(secret, asked.origin, process.env);
    if (key === null)
      process.stderr.write(`${shownLine(`There is no key "${secret}": set ${keyVariable(secret)} to it.`)}\n`);
    return key !== null && (await this.#allows({ ...asked, secret })) ? key : null;
  }

  async #allows({ origin, secret, agent }: EndpointAsked): Promise<boolean> {
    if (this.#origins.has(origin)) return true;
    const what = secret === undefined ? "messages" : `messages and the key "${secret}"`;
    const detail = `${whoIsThere(agent)} It gets the conversation, with what participants read from your files.`;
    const isAllowed = await this.#ask(`Send ${what} to ${origin}?`, [detail]);
    if (isAllowed) this.#origins.add(origin);
    return isAllowed;
  }

  async #ask(title: string, detail: readonly string[]): Promise<boolean> {
    const asking = this.#asking;
    if (asking === undefined) return false;
    const id = `question-${createHash("sha256")
      .update([title, ...detail].join("\n"))
      .digest("hex")
      .slice(0, 16)}`;
    return askWhether(asking.id, { id, title, detail }, (request) =>
      asking.client.request(methods.client.session.requestPermission, request),
    );
  }
}

/** The model of participants that have none; undefined for a key of the team file's models, which sessions set. */
function defaultModel(model: string | undefined): unknown {
  const given = model ?? process.env["GAVEL_MODEL"];
  return given === undefined || given === "" ? null : (modelIn(given) ?? null);
}

/** What is refused is said to the client in a sentence. */
async function refusing<T>(answer: () => Promise<T>): Promise<T> {
  try {
    return await answer();
  } catch (error) {
    if (error instanceof GavelError && error.data.code === "UnknownTeam") throw new RequestError(-32002, error.message);
    if (error instanceof UsageError || error instanceof GavelError) throw new RequestError(-32602, error.message);
    if (error instanceof HostError) throw new RequestError(-32603, error.message);
    throw error;
  }
}
