import type {
  PromptResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
  ToolCallUpdate,
} from "@agentclientprotocol/sdk/unstable";
import { charactersIn } from "./characters-in.ts";
import type { AgentTerminal } from "./terminal/agent-terminal.ts";

/** What an agent tells and asks during a prompt, in the order in which it came. */
export type AgentItem =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "thought"; readonly text: string }
  | { readonly kind: "plan"; readonly text: string }
  | { readonly kind: "call"; readonly update: ToolCallUpdate }
  /** A command that a call stands for has ended. */
  | { readonly kind: "changed"; readonly ref: string; readonly what: string }
  /** It is time to show a call about which the agent has said no more. */
  | { readonly kind: "announce"; readonly id: string }
  | { readonly kind: "permission"; readonly request: PermissionRequest }
  | { readonly kind: "file"; readonly request: FileRequest }
  | { readonly kind: "command"; readonly request: CommandRequest }
  /** The call waits for the user. */
  | { readonly kind: "pending"; readonly ref: string }
  | { readonly kind: "ended"; readonly response: PromptResponse }
  /** `isFatal`: the agent cannot go on, as it does not keep to the limits. */
  | { readonly kind: "failed"; readonly error: unknown; readonly isFatal: boolean };

export interface PermissionRequest extends RequestPermissionRequest {
  readonly answer: (response: RequestPermissionResponse) => void;
}

/** A request of a file, as the input of our tool for it. */
export interface FileRequest {
  readonly tool: "readFile" | "writeFile";
  readonly input: { readonly path: string; readonly [key: string]: unknown };
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** A command that the agent has us run. It is answered when the command starts. */
export interface CommandRequest {
  readonly tool: "runCommand";
  readonly input: { readonly command: string; readonly cwd: string };
  readonly terminal: AgentTerminal;
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** True for what the agent waits for, and only a turn can answer. */
export const isRequest = ({ kind }: AgentItem): boolean =>
  kind === "permission" || kind === "file" || kind === "command";

/** How many characters an item has. */
function charactersOf(item: AgentItem): number {
  switch (item.kind) {
    case "text":
    case "thought":
    case "plan":
      return item.text.length;
    case "call":
      return charactersIn(item.update);
    case "permission":
      return charactersIn(item.request.toolCall) + charactersIn(item.request.options);
    case "file":
    case "command":
      return charactersIn(item.request.input);
    default:
      return 0;
  }
}

/** An agent waits when so much of what it has sent is not used yet: in characters, and in items. */
const MAX_CHARACTERS = 1_000_000;
const MAX_ITEMS = 2_000;

/** What has come from an agent and is not used yet. Texts next to each other are one item. */
export class Inbox {
  #items: AgentItem[] = [];
  #characters = 0;
  #wake: (() => void) | undefined;
  #roomMade: (() => void)[] = [];
  /** Called with each item while no turn takes any. */
  onUnattended: ((item: AgentItem) => void) | undefined;

  push(item: AgentItem): void {
    const last = this.#items.at(-1);
    this.#characters += charactersOf(item);
    if ((item.kind === "text" || item.kind === "thought") && last?.kind === item.kind) {
      this.#items[this.#items.length - 1] = { ...item, text: last.text + item.text };
    } else this.#items.push(item);
    this.#wake?.();
    this.onUnattended?.(item);
  }

  /** True while the agent waits for an answer that only a turn can give. */
  get hasRequest(): boolean {
    return this.#items.some(isRequest);
  }

  /** False while the agent has to wait. */
  get hasRoom(): boolean {
    return this.#characters < MAX_CHARACTERS && this.#items.length < MAX_ITEMS;
  }

  /** Resolves when there is room for more. */
  room(): Promise<void> {
    if (this.hasRoom) return Promise.resolve();
    return new Promise((resolve) => this.#roomMade.push(resolve));
  }

  /** The next item; undefined once `signal` is aborted. Only one may wait for it. */
  async next(signal: AbortSignal): Promise<AgentItem | undefined> {
    while (!signal.aborted) {
      const item = this.#items.shift();
      if (item !== undefined) {
        this.#characters -= charactersOf(item);
        this.#makeRoom();
        return item;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
      this.#wake = undefined;
    }
    return undefined;
  }

  /** Everything that is left, which no one will use any more. */
  drain(): readonly AgentItem[] {
    const items = this.#items;
    this.#items = [];
    this.#characters = 0;
    this.#makeRoom();
    return items;
  }

  #makeRoom(): void {
    if (!this.hasRoom) return;
    const waiting = this.#roomMade;
    this.#roomMade = [];
    for (const resolve of waiting) resolve();
  }
}
