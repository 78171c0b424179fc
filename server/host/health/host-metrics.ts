import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import { isDurable } from "../../../shared/contract/event.ts";
import type { HostState } from "./host-state.ts";

/** In seconds, from a fast disk to a server that hardly answers. */
const STORE_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** An acknowledgement should come at once, a receipt within two seconds. */
const INTERRUPT_BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5];
const TURN_BUCKETS = [0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1_800];

/** The most turns and interrupts whose beginning is remembered: those that never end are forgotten. */
const MOST_OPEN = 10_000;

/**
 * What a host counts, in the text format of Prometheus. Labels have few values, which are Gavel's own: no names, ids or
 * texts of teams.
 */
export class HostMetrics {
  readonly #registry = new Registry();
  readonly #events = this.#counter("gavel_events_total", "Events that were stored and told.", ["type"]);
  readonly #runs = this.#counter("gavel_runs_total", "Runs that have ended, by status.", ["status"]);
  readonly #calls = this.#counter("gavel_tool_calls_total", "Tool calls that have ended, by outcome.", ["outcome"]);
  readonly #tokens = this.#counter("gavel_tokens_total", "Tokens, as models report them.", ["kind"]);
  readonly #cost = this.#counter("gavel_cost_dollars_total", "What models cost, where their price is known.", []);
  readonly #trouble = this.#counter(
    "gavel_model_trouble_total",
    "Model requests that were retried or given to another model.",
    ["what"],
  );
  readonly #stored = this.#histogram(
    "gavel_event_stored_seconds",
    "From an event to when it is stored.",
    STORE_BUCKETS,
    [],
  );
  readonly #interrupts = this.#histogram(
    "gavel_interrupt_seconds",
    "From the request of an interrupt to its acknowledgement, and to its receipt.",
    INTERRUPT_BUCKETS,
    ["until"],
  );
  readonly #turns = this.#histogram("gavel_turn_seconds", "How long turns take.", TURN_BUCKETS, []);
  /** When turns and interrupts began, by team and id, in milliseconds. */
  readonly #begun = new Map<string, number>();

  constructor(state: () => HostState) {
    collectDefaultMetrics({ register: this.#registry });
    const { version } = state();
    this.#gauge("gavel_build_info", "The version of Gavel.", () => 1, { version });
    this.#gauge("gavel_clients", "Connected clients.", () => state().clients);
    this.#gauge("gavel_teams_open", "Open teams.", () => state().teams);
    this.#gauge("gavel_runs_running", "Runs in progress.", () => state().running);
    this.#gauge("gavel_calls_waiting", "Tool calls that wait for a decision.", () => state().waitingCalls);
    this.#gauge("gavel_storage_saving", "1 while what happens is stored, 0 while it cannot be.", () =>
      state().storage === "saving" ? 1 : 0,
    );
    this.#gauge("gavel_draining", "1 while the host ends and starts no more runs.", () => (state().isDraining ? 1 : 0));
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  /** An event that is told, which it is once it is stored. */
  observe(teamId: string, event: TeamEvent): void {
    if (!isDurable(event)) return;
    const at = Date.parse(event.at);
    this.#events.inc({ type: event.type });
    this.#stored.observe(Math.max(0, Date.now() - at) / 1_000);
    switch (event.type) {
      case "run/ended":
        this.#runs.inc({ status: event.status.code });
        return;
      case "tool/executed":
        this.#calls.inc({ outcome: event.interrupted ? "interrupted" : event.isError ? "error" : "success" });
        return;
      case "tool/interrupted":
        this.#calls.inc({ outcome: "waiting" });
        return;
      case "model/retry":
      case "model/fallback":
        this.#trouble.inc({ what: event.type === "model/retry" ? "retry" : "fallback" });
        return;
      case "message/added":
        this.#used(event.message.usage);
        return;
      case "tool/requested":
      case "model/asked":
        this.#used(event.usage);
        return;
      case "reasoning/start":
        this.#begin(`${teamId} ${event.id}`, at);
        return;
      case "reasoning/conclusion":
        for (const id of event.correlation_id)
          this.#end(`${teamId} ${id}`, at, (seconds) => this.#turns.observe(seconds));
        return;
      case "interrupt/requested":
        this.#begin(`${teamId} ${event.interruptId}`, at);
        return;
      case "interrupt/acknowledged":
        this.#interrupted(`${teamId} ${event.interruptId}`, at, "acknowledgement", "keep");
        return;
      case "interrupt/completed":
        this.#interrupted(`${teamId} ${event.interruptId}`, at, "receipt");
    }
  }

  #used(
    usage: { readonly prompt: number; readonly completion: number; readonly cost?: number | undefined } | undefined,
  ): void {
    if (usage === undefined) return;
    this.#tokens.inc({ kind: "prompt" }, usage.prompt);
    this.#tokens.inc({ kind: "completion" }, usage.completion);
    this.#cost.inc(usage.cost ?? 0);
  }

  #interrupted(key: string, at: number, until: "acknowledgement" | "receipt", keep?: "keep"): void {
    this.#end(key, at, (seconds) => this.#interrupts.observe({ until }, seconds), keep);
  }

  #begin(key: string, at: number): void {
    const [first] = this.#begun.keys();
    if (this.#begun.size >= MOST_OPEN && first !== undefined) this.#begun.delete(first);
    this.#begun.set(key, at);
  }

  #end(key: string, at: number, observe: (seconds: number) => void, keep?: "keep"): void {
    const begun = this.#begun.get(key);
    if (begun === undefined) return;
    if (keep === undefined) this.#begun.delete(key);
    observe(Math.max(0, at - begun) / 1_000);
  }

  #counter<T extends string>(name: string, help: string, labelNames: readonly T[]): Counter<T> {
    return new Counter({ name, help, labelNames: [...labelNames], registers: [this.#registry] });
  }

  #histogram<T extends string>(name: string, help: string, buckets: number[], labelNames: readonly T[]): Histogram<T> {
    return new Histogram({ name, help, buckets, labelNames: [...labelNames], registers: [this.#registry] });
  }

  #gauge(name: string, help: string, value: () => number, labels: Readonly<Record<string, string>> = {}): void {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: Object.keys(labels),
      registers: [this.#registry],
      collect: (): void => gauge.set(labels, value()),
    });
  }
}
