import type { DurableEvent } from "../../../shared/contract/event.ts";
import type { HostLog } from "./host-log.ts";

type EventOf<T extends DurableEvent["type"]> = Extract<DurableEvent, { type: T }>;

interface Line {
  readonly level: "warn" | "info" | "debug";
  readonly text: string;
}

const info = (text: string): Line => ({ level: "info", text });
const debug = (text: string): Line => ({ level: "debug", text });
const warn = (text: string): Line => ({ level: "warn", text });

/** Logs what happens to one team: ids, names, counts and durations, but no text of the conversation. */
export class TeamLog {
  readonly #log: HostLog;
  readonly #team: string;
  /** When runs and interrupts started, by their ids, in milliseconds on the monotonic clock. */
  readonly #started = new Map<string, number>();
  #messages = 0;

  constructor(log: HostLog, name: string, teamId: string) {
    this.#log = log;
    this.#team = `team "${name}" (${teamId})`;
  }

  event(event: DurableEvent): void {
    const line = event.path === undefined ? (this.#teamLine(event) ?? callLine(event)) : nestedLine(event);
    if (line !== undefined) this.#log[line.level](`${this.#placeOf(event)}: ${line.text}.`);
  }

  #teamLine(event: DurableEvent): Line | undefined {
    switch (event.type) {
      case "run/started":
        this.#messages = 0;
        this.#started.set(event.runId ?? "", performance.now());
        return info(`started by ${event.cause}`);
      case "message/added":
        this.#messages++;
        return undefined;
      case "run/ended":
        return info(
          `ended${this.#since(event.runId ?? "")}: ${outcomeOf(event)}, ${counted(this.#messages, "message")}`,
        );
      case "interrupt/requested":
        this.#started.set(event.interruptId, performance.now());
        return info(
          `interrupt ${event.interruptId} requested by ${event.by}: ${event.severity}, ${event.grace}, ${scopeOf(event)}`,
        );
      case "interrupt/completed": {
        const { interruptId, partials, abandonedTools, status } = event;
        const counts = `${counted(partials.length, "partial message")}, ${counted(abandonedTools.length, "abandoned call")}`;
        return info(`interrupt ${interruptId} completed${this.#since(interruptId)}: ${counts}, status ${status}`);
      }
      case "team/reset":
        return info("reset");
      case "state/loaded":
        return info("state replaced by a saved one");
      default:
        return undefined;
    }
  }

  #placeOf({ runId, path }: DurableEvent): string {
    const place = `${runId === undefined ? "" : `run ${runId} of `}${this.#team}`;
    return `${place.charAt(0).toUpperCase()}${place.slice(1)}${path === undefined ? "" : `, in ${path.join(" › ")}`}`;
  }

  /** ` after 1234 ms`, if the start is known. */
  #since(id: string): string {
    const start = this.#started.get(id);
    this.#started.delete(id);
    return start === undefined ? "" : ` after ${Math.round(performance.now() - start)} ms`;
  }
}

/** The runs of a nested team are turns of the team around it. */
function nestedLine(event: DurableEvent): Line | undefined {
  if (event.type === "run/started") return debug("nested run started");
  return event.type === "run/ended" ? debug(`nested run ended: ${outcomeOf(event)}`) : callLine(event);
}

/** Calls, speakers and failures, which nested teams have too. */
function callLine(event: DurableEvent): Line | undefined {
  switch (event.type) {
    case "speaker/selected":
      return debug(`speakers ${event.participants.join(", ")}`);
    case "tool/started":
      return debug(
        `call ${event.ref} started${event.approved?.rule === undefined ? "" : `, allowed by ${event.approved.rule}`}`,
      );
    case "tool/executed":
      return debug(`call ${event.ref} of ${event.name} ended${event.isError ? " with an error" : ""}`);
    case "tool/interrupted":
      return info(
        `call ${event.ref} of ${event.name} by ${event.participant} waits for ${event.approval ? "approval" : "an answer"}`,
      );
    case "tool/resolved":
      return info(`call ${event.ref} resolved by ${event.by}: ${event.how}`);
    case "tool/abandoned":
      return warn(`call ${event.ref} of ${event.name} did not stop after the interrupt`);
    case "model/retry": {
      const status = event.status === undefined ? "" : ` with HTTP ${event.status}`;
      return warn(
        `attempt ${event.attempt} of ${event.participant}'s model request failed${status}; next in ${event.waitMs} ms`,
      );
    }
    case "model/fallback":
      return warn(
        `${event.to.name ?? event.to.provider} answers ${event.participant} instead of ${event.from.name ?? event.from.provider}`,
      );
    case "context/summarizing":
      return info(`${event.participant} summarizes its context`);
    case "model/waiting":
      return info(
        `${event.participant}'s model request waits for the rate limit of ${event.endpoint}${event.until === undefined ? "" : ` until ${event.until}`}`,
      );
    case "model/waited":
      return info(`${event.participant}'s model request to ${event.endpoint} is sent`);
    case "reasoning/interrupt":
      return info(
        `reasoning interrupt ${event.id} from ${event.from} to ${event.to.join(", ")}: ${event.payload.reason}`,
      );
    case "reasoning/interrupt-ack":
      if (event.payload.limited) {
        return warn(`reasoning interrupt ${event.correlation_id.join(", ")} ignored: its sender interrupts too often`);
      }
      return info(
        `reasoning interrupt ${event.correlation_id.join(", ")} acknowledged by ${event.from}: ${event.payload.status}`,
      );
    case "error": {
      const { code, status } = event.data;
      return warn(`failed with ${String(code)}${typeof status === "number" ? `, HTTP ${status}` : ""}`);
    }
    default:
      return undefined;
  }
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

function outcomeOf({ status, stopReason, usage }: EventOf<"run/ended">): string {
  const reason = status.reason === undefined ? "" : ` (${status.reason})`;
  const stop = stopReason === null ? "" : `, stop reason ${JSON.stringify(stopReason)}`;
  return `${status.code}${reason}${stop}, ${usage.total} tokens`;
}

function scopeOf({ scope }: EventOf<"interrupt/requested">): string {
  if (scope === undefined) return "whole team";
  return "participant" in scope ? `participant ${scope.participant}` : `call ${scope.ref}`;
}
