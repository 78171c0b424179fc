import * as z from "zod";
import type { ModelDefinition, ParticipantDefinition, TeamDefinition } from "../../shared/contract/definition.ts";
import { Plan } from "../../shared/contract/plan.ts";
import { keyFor, usualKey } from "../../shared/environment-keys.ts";
import { PLAN_TOOL } from "../../shared/plan-tool.ts";
import { modelFor, modelInfo } from "../../shared/state/model-choice.ts";
import { buildAssistant, type MessageContext, type Model } from "../engine/index.ts";
import {
  type Link,
  LinkRuntime,
  ModelRequestData,
  offersSubject,
  registerService,
  ToolCallData,
  TurnData,
  turnOf,
  WORKER_QUEUE,
  type WorkerOffers,
  workerModels,
  workerPlans,
  workerPreviews,
  workerTools,
  workerTurns,
} from "../link/index.ts";
import { createModel, RateLimits } from "../models/index.ts";
import { streamToHost } from "./stream-to-host.ts";
import type { WorkerFile } from "./worker-file.ts";
import { WorkerTools } from "./worker-tools.ts";

export interface WorkerOptions {
  readonly name: string;
  readonly file: WorkerFile;
  readonly link: Link;
  readonly space: string;
  /** See `NodeOptions`. */
  readonly silence: number;
  /** Has the keys of models: they stay in this process. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly log: (line: string) => void;
}

const PlanChange = z.object({ turnId: z.string(), plan: Plan.optional() });

/**
 * Runs participants, models and tools for the teams of hosts on a link. Each turn comes with all that it needs, so nothing
 * is kept between turns. What its owner has not listed in the file is not there for anyone.
 */
export class Worker {
  readonly #options: WorkerOptions;
  readonly #runtime: LinkRuntime;
  readonly #tools: WorkerTools;
  readonly #models = new Map<string, Model>();
  readonly #plans = new Map<string, Plan | undefined>();
  readonly #rates = new RateLimits();
  readonly #releases: (() => void)[];
  #busy = 0;
  #whenIdle: (() => void)[] = [];

  constructor(options: WorkerOptions) {
    const { link, space, silence, version, name, log } = options;
    this.#options = options;
    this.#tools = new WorkerTools(options.file);
    this.#runtime = new LinkRuntime(link, { space, silence }, (error) =>
      log(error instanceof Error ? error.message : String(error)),
    );
    const { node } = this.#runtime;
    const runtime = this.#runtime;
    const each = { serial: false };
    runtime.register(
      workerTurns(node),
      this.#counted((message, context) => this.#turn(message, context)),
      each,
    );
    runtime.register(
      workerTools(node),
      this.#counted((message, context) => this.#tool(message, context)),
      each,
    );
    runtime.register(workerPreviews(node), (message) => this.#preview(message), each);
    runtime.register(
      workerModels(node),
      this.#counted((message, context) => this.#model(message, context)),
      each,
    );
    runtime.register(workerPlans(node), (message) => this.#planChanged(message), each);
    runtime.subscribe({ id: workerPlans(node).id }, workerPlans(node));
    const offers = new TextEncoder().encode(JSON.stringify(this.#offers()));
    const answerAlone = ({ respond }: { respond: (data: Uint8Array) => void }): void => respond(offers);
    this.#releases = [
      // For a host that has used this one before.
      link.subscribe(`${offersSubject(space, name)}.${node}`, answerAlone),
      registerService(link, {
        version,
        metadata: { worker: name, space, node },
        endpoint: { name: "offers", subject: offersSubject(space, name), queue: WORKER_QUEUE },
        answer: () => offers,
      }),
    ];
  }

  /** Why commands would run without a sandbox although the file does not say so, as a sentence. */
  unsafe(): Promise<string | undefined> {
    return this.#tools.unsafe();
  }

  /** Takes no more work; resolves when what it does is done, or `ms` milliseconds have passed. */
  async drain(ms: number): Promise<void> {
    for (const release of this.#releases) release();
    if (this.#busy === 0) return;
    const timer = Promise.withResolvers<void>();
    const timeout = setTimeout(timer.resolve, ms);
    await Promise.race([timer.promise, new Promise<void>((resolve) => this.#whenIdle.push(resolve))]);
    clearTimeout(timeout);
  }

  /** Leaves the link; what it still does is aborted. */
  close(): void {
    this.#runtime.close();
  }

  #offers(): WorkerOffers {
    const { name, file } = this.#options;
    return {
      worker: name,
      node: this.#runtime.node,
      participants: (file.participants ?? []).map(({ name, description, tools = [] }) => ({
        name,
        ...(description === undefined ? {} : { description }),
        tools: tools.filter((tool) => typeof tool === "string"),
      })),
      models: Object.entries(file.models ?? {}).map(([name, model]) => ({ name, info: modelInfo(model) })),
      tools: [...this.#tools.declarations],
      shared: file.tools ?? [],
    };
  }

  /** Work that is waited for when the worker ends. */
  #counted<R>(work: (message: unknown, context: MessageContext) => Promise<R>) {
    return async (message: unknown, context: MessageContext): Promise<R> => {
      this.#busy++;
      try {
        return await work(message, context);
      } finally {
        this.#busy--;
        if (this.#busy === 0) for (const resolve of this.#whenIdle.splice(0)) resolve();
      }
    };
  }

  async #turn(message: unknown, { signal, soft }: MessageContext) {
    const data = TurnData.parse(message);
    const definition = this.#participant(data);
    this.#plans.set(data.turnId, data.plan);
    try {
      const turn = turnOf(data, { runtime: this.#runtime, signal, soft, plan: () => this.#plans.get(data.turnId) });
      return await this.#assistant(definition, data).takeTurn(turn);
    } finally {
      this.#plans.delete(data.turnId);
    }
  }

  /** The participant of the file, with what is the team's matter from the team. */
  #participant({ participant, name, settings }: TurnData): ParticipantDefinition {
    const own = this.#options.file.participants?.find((one) => one.name === participant);
    if (own === undefined) throw new Error(`The worker ${this.#options.name} has no participant "${participant}".`);
    const tools = (own.tools ?? []).filter((tool) => tool === PLAN_TOOL);
    return { ...own, ...settings, name, tools };
  }

  #assistant(definition: ParticipantDefinition, { participant, team }: TurnData) {
    const { name, file } = this.#options;
    const own = file.participants?.find((one) => one.name === participant);
    const declared = new Map(this.#tools.declarations.map((declaration) => [declaration.name, declaration]));
    const tools = (own?.tools ?? []).flatMap((tool) => {
      const declaration = typeof tool === "string" ? declared.get(tool) : undefined;
      return declaration === undefined
        ? []
        : [{ declaration: { ...declaration, name: `${name}/${declaration.name}` } }];
    });
    const members = team.participants.map((member) => ({ ...member }));
    const around: TeamDefinition = { name: team.name, kind: "roundRobin", participants: members };
    return buildAssistant({
      definition,
      teamId: team.id,
      team: around,
      models: { model: () => this.#modelOf(definition), window: () => this.#window(definition) },
      tools,
      sources: [],
      parts: {},
    });
  }

  #definitionOf(member: Pick<ParticipantDefinition, "name" | "model">): ModelDefinition {
    const found = modelFor(member, { models: this.#options.file.models }, undefined);
    if (typeof found === "string") throw new Error(`${found}.`);
    return found;
  }

  #window(member: ParticipantDefinition): number | undefined {
    const definition = this.#definitionOf(member);
    return "contextWindow" in definition ? definition.contextWindow : undefined;
  }

  #modelOf(member: Pick<ParticipantDefinition, "name" | "model">): Model {
    const definition = this.#definitionOf(member);
    const models = this.#options.file.models ?? {};
    const key = Object.keys(models).find((name) => models[name] === definition) ?? "";
    const known = this.#models.get(key);
    if (known !== undefined) return known;
    const fallbacks = "fallback" in definition ? (definition.fallback ?? []).flatMap((name) => models[name] ?? []) : [];
    const { variables } = this.#options;
    const model = createModel(
      definition,
      {
        rates: this.#rates,
        get: async (secret, { origin }) => keyFor(secret, origin, variables) ?? usualKey(secret, origin, variables),
        // The owner of this worker has written which endpoints it uses.
        isAllowed: async () => true,
      },
      undefined,
      fallbacks,
    );
    this.#models.set(key, model);
    return model;
  }

  async #model(message: unknown, { signal }: MessageContext): Promise<void> {
    const { model, request, longestWaitMs, parts } = ModelRequestData.parse(message);
    if (!Object.hasOwn(this.#options.file.models ?? {}, model))
      throw new Error(`The worker ${this.#options.name} has no model "${model}".`);
    const asked = this.#modelOf({ name: request.participant, model });
    await streamToHost(asked, request, {
      signal,
      ...(longestWaitMs === undefined ? {} : { longestWaitMs }),
      tell: (news) => this.#runtime.publish({ id: parts.id, node: parts.node }, news),
    });
  }

  async #tool(message: unknown, { signal }: MessageContext): Promise<unknown> {
    const { tool, input, output, ...call } = ToolCallData.parse(message);
    this.#options.log(`${call.participant} of team ${call.teamId} uses ${tool}.`);
    return this.#tools.run(tool, input, {
      ...call,
      signal,
      effects: undefined,
      output: (delta) => {
        if (output !== undefined) this.#runtime.publish({ id: output.id, node: output.node }, delta);
      },
    });
  }

  async #preview(message: unknown): Promise<unknown> {
    const { tool, input } = z.object({ tool: z.string(), input: z.unknown() }).parse(message);
    return this.#tools.preview(tool, input);
  }

  #planChanged(message: unknown): void {
    const { turnId, plan } = PlanChange.parse(message);
    if (this.#plans.has(turnId)) this.#plans.set(turnId, plan);
  }
}
