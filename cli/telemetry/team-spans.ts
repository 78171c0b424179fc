import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { TeamEvent } from "../../shared/contract/event.ts";
import { textOf } from "../../shared/contract/message-text.ts";
import type { ModelInfo } from "../../shared/contract/model-choice.ts";
import type { RunStatus } from "../../shared/contract/team.ts";
import { ownValue } from "../../shared/json-record.ts";
import type { TeamState } from "../../shared/state/team-state.ts";
import { participantPath } from "../../shared/text/nested-teams.ts";

type Usage = { readonly prompt: number; readonly completion: number } | undefined;

/** The names that the conventions give to providers. */
const PROVIDERS: Readonly<Record<string, string>> = { gemini: "gcp.gemini", azure: "azure.ai.openai" };

/**
 * A team's events as spans of OpenTelemetry's conventions for generative AI: a run is an `invoke_workflow`, a turn an
 * `invoke_agent` in it, each model step a `chat` and each tool call an `execute_tool` in its turn. What is said, and what
 * tools are given and return, is left out unless it is asked for.
 */
export class TeamSpans {
  readonly #tracer: Tracer;
  readonly #withContent: boolean;
  /** The run of each nested team, by its path; that of the team itself by an empty one. */
  readonly #runs = new Map<string, Span>();
  readonly #turns = new Map<string, { readonly span: Span; stepAt: Date }>();
  readonly #calls = new Map<string, { readonly span: Span | undefined; readonly input: unknown }>();

  constructor(tracer: Tracer, { withContent }: { readonly withContent: boolean }) {
    this.#tracer = tracer;
    this.#withContent = withContent;
  }

  add(event: TeamEvent, state: TeamState): void {
    if (!("seq" in event)) return;
    const at = new Date(event.at);
    const path = event.path ?? [];
    switch (event.type) {
      case "run/started":
        this.#startRun(path, at, state);
        break;
      case "run/ended":
        this.#endRun(path, at, event.status, event.stopReason);
        break;
      case "reasoning/start":
        this.#startTurn(participantPath(path, event.from), path, at, state);
        break;
      case "reasoning/conclusion":
        this.#endTurn(participantPath(path, event.from), at);
        break;
      case "message/added":
        this.#step(participantPath(path, event.message.source), at, state, event.message.usage, textOf(event.message));
        break;
      case "tool/requested":
        for (const { ref, input } of event.calls) this.#calls.set(ref, { span: undefined, input });
        this.#step(participantPath(path, event.participant), at, state, event.usage, event.content ?? "");
        break;
      case "tool/resolved":
        if (event.input !== undefined) this.#calls.set(event.ref, { span: undefined, input: event.input });
        break;
      case "tool/started":
        this.#startCall(event.ref, at, state);
        break;
      case "tool/executed":
        this.#endCall(event, participantPath(path, event.participant), at);
        break;
      default:
        break;
    }
  }

  /** Ends what is still open. */
  end(): void {
    for (const { span } of this.#calls.values()) span?.end();
    for (const { span } of this.#turns.values()) span.end();
    for (const span of this.#runs.values()) span.end();
  }

  #startRun(path: readonly string[], at: Date, { name, teamId }: TeamState): void {
    const turn = this.#turns.get(path.join(" › "))?.span;
    const shown = path.at(-1) ?? name;
    const span = this.#start(`invoke_workflow ${shown}`, at, turn, {
      "gen_ai.operation.name": "invoke_workflow",
      "gen_ai.workflow.name": shown,
      "gen_ai.conversation.id": teamId,
    });
    this.#runs.set(path.join(" › "), span);
  }

  #endRun(path: readonly string[], at: Date, { code, message }: RunStatus, stopReason: string | null): void {
    const key = path.join(" › ");
    const span = this.#runs.get(key);
    this.#runs.delete(key);
    if (span === undefined) return;
    if (stopReason !== null) span.setAttribute("gavel.stop_reason", stopReason.slice(0, 200));
    if (code === "error") fail(span, this.#withContent ? (message ?? "") : "", "error");
    span.end(at);
  }

  #startTurn(who: string, path: readonly string[], at: Date, state: TeamState): void {
    const name = who.split(" › ").at(-1) ?? who;
    const span = this.#start(`invoke_agent ${name}`, at, this.#runs.get(path.join(" › ")), {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": name,
      "gen_ai.conversation.id": state.teamId,
      ...modelAttributes(modelOf(state, path, name)),
    });
    this.#turns.set(who, { span, stepAt: at });
  }

  #endTurn(who: string, at: Date): void {
    this.#turns.get(who)?.span.end(at);
    this.#turns.delete(who);
  }

  /** One request to a model: from the turn's start, or the end of its last tools, until its answer. */
  #step(who: string, at: Date, state: TeamState, usage: Usage, text: string): void {
    const turn = this.#turns.get(who);
    if (turn === undefined) return;
    const path = who.split(" › ");
    const model = modelOf(state, path.slice(0, -1), path.at(-1) ?? who);
    const span = this.#start(
      model?.name === undefined ? "chat" : `chat ${model.name}`,
      turn.stepAt,
      turn.span,
      {
        "gen_ai.operation.name": "chat",
        "gen_ai.conversation.id": state.teamId,
        ...modelAttributes(model),
        ...usageAttributes(usage),
        ...(this.#withContent ? { "gen_ai.output.messages": outputMessages(text) } : {}),
      },
      SpanKind.CLIENT,
    );
    span.end(at);
    turn.stepAt = at;
  }

  #startCall(ref: string, at: Date, state: TeamState): void {
    const call = state.calls.find((one) => one.ref === ref) ?? innerCall(state, ref);
    if (call === undefined) return;
    const { participant, name, input } = call;
    const turn = [...this.#turns].find(([who]) => who.split(" › ").at(-1) === participant)?.[1].span;
    const given = this.#calls.get(ref)?.input ?? input;
    const span = this.#start(`execute_tool ${name}`, at, turn, {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": name,
      "gen_ai.tool.type": "function",
      "gen_ai.tool.call.id": ref,
      ...(this.#withContent ? { "gen_ai.tool.call.arguments": JSON.stringify(given) ?? "" } : {}),
    });
    this.#calls.set(ref, { span, input: given });
  }

  #endCall({ ref, isError, output }: Extract<TeamEvent, { type: "tool/executed" }>, who: string, at: Date): void {
    const span = this.#calls.get(ref)?.span;
    this.#calls.delete(ref);
    const turn = this.#turns.get(who);
    if (turn !== undefined) turn.stepAt = at;
    if (span === undefined) return;
    const text = typeof output === "string" ? output : (JSON.stringify(output) ?? "");
    if (this.#withContent) span.setAttribute("gen_ai.tool.call.result", text);
    if (isError) fail(span, this.#withContent ? text : "", "tool_error");
    span.end(at);
  }

  #start(
    name: string,
    startTime: Date,
    parent: Span | undefined,
    attributes: Attributes,
    kind = SpanKind.INTERNAL,
  ): Span {
    const context: Context = parent === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, parent);
    return this.#tracer.startSpan(name, { startTime, attributes, kind }, context);
  }
}

function fail(span: Span, message: string, type: string): void {
  span.setStatus({ code: SpanStatusCode.ERROR, ...(message === "" ? {} : { message: message.slice(0, 1000) }) });
  span.setAttribute("error.type", type);
}

const within = (state: TeamState, path: readonly string[]): TeamState | undefined =>
  path.reduce<TeamState | undefined>((outer, name) => ownValue(outer?.inner, name), state);

const innerCall = (state: TeamState, ref: string): TeamState["calls"][number] | undefined =>
  Object.values(state.inner ?? {})
    .map((inner) => inner.calls.find((call) => call.ref === ref) ?? innerCall(inner, ref))
    .find((call) => call !== undefined);

/** The model of a participant, as far as the team tells. */
function modelOf(state: TeamState, path: readonly string[], name: string): ModelInfo | undefined {
  const team = within(state, path);
  const participant = team?.participants.find((one) => one.name === name);
  const chosen = participant?.chosenModel ?? state.chosenModel;
  if (typeof chosen === "string") return ownValue(team?.models, chosen);
  if (chosen === undefined) return participant?.definedModel;
  return {
    provider: chosen.provider,
    ...("model" in chosen && chosen.model !== undefined ? { name: chosen.model } : {}),
  };
}

const modelAttributes = (model: ModelInfo | undefined): Attributes =>
  model === undefined
    ? {}
    : {
        "gen_ai.provider.name": ownValue(PROVIDERS, model.provider) ?? model.provider,
        ...(model.name === undefined ? {} : { "gen_ai.request.model": model.name }),
      };

const usageAttributes = (usage: Usage): Attributes =>
  usage === undefined
    ? {}
    : { "gen_ai.usage.input_tokens": usage.prompt, "gen_ai.usage.output_tokens": usage.completion };

/** As the conventions write messages in an attribute. */
const outputMessages = (content: string): string =>
  JSON.stringify([{ role: "assistant", parts: [{ type: "text", content }] }]);
