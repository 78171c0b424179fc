import { type Readable, Writable } from "node:stream";
import {
  type AgentCapabilities,
  type ClientConnection,
  client,
  type LoadSessionResponse,
  methods,
  type NewSessionResponse,
  ndJsonStream,
  PROTOCOL_VERSION,
  type PromptResponse,
  type RequestPermissionRequest,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import type { CommandLine } from "./command-line.ts";

/** Answers a question with the id of an option, or cancels it. */
type Answer = (request: RequestPermissionRequest) => string | undefined;

/** A client of the Agent Client Protocol by its own SDK, that starts `gavel acp` with these arguments. */
export class AcpClient implements AsyncDisposable {
  capabilities: AgentCapabilities | undefined;
  readonly updates: SessionUpdate[] = [];
  readonly questions: RequestPermissionRequest[] = [];
  /** What the next questions are answered with. */
  answer: Answer = () => "allow";
  readonly #connection: ClientConnection;
  readonly #ended: Promise<number | null>;
  readonly #close: () => void;
  readonly #folder: string;
  #grown = Promise.withResolvers<void>();

  private constructor(gavel: CommandLine, args: readonly string[], variables: Readonly<Record<string, string>>) {
    this.#folder = gavel.folder;
    const child = gavel.start(["acp", ...args], variables);
    child.stderr.pipe(process.stderr);
    this.#ended = new Promise((resolve) => child.on("close", resolve));
    this.#close = () => child.stdin.end();
    this.#connection = client({ name: "test" })
      .onRequest(methods.client.session.requestPermission, ({ params }) => {
        this.questions.push(params);
        const optionId = this.answer(params);
        return { outcome: optionId === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId } };
      })
      .onNotification(methods.client.session.update, ({ params }) => {
        this.updates.push(params.update);
        this.#grown.resolve();
        this.#grown = Promise.withResolvers();
      })
      .connect(ndJsonStream(Writable.toWeb(child.stdin), bytesOf(child.stdout)));
  }

  /** An agent that is started and initialized. */
  static async start(
    gavel: CommandLine,
    args: readonly string[],
    variables: Readonly<Record<string, string>> = {},
  ): Promise<AcpClient> {
    const started = new AcpClient(gavel, args, variables);
    started.capabilities = (await started.#initialize()).agentCapabilities;
    return started;
  }

  #initialize() {
    return this.#connection.agent.request(methods.agent.initialize, {
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: {},
    });
  }

  open(cwd = this.#folder): Promise<NewSessionResponse> {
    return this.#connection.agent.request(methods.agent.session.new, { cwd, mcpServers: [] });
  }

  load(sessionId: string): Promise<LoadSessionResponse> {
    return this.#connection.agent.request(methods.agent.session.load, { sessionId, cwd: this.#folder, mcpServers: [] });
  }

  list() {
    return this.#connection.agent.request(methods.agent.session.list, { cwd: this.#folder });
  }

  setMode(sessionId: string, modeId: string) {
    return this.#connection.agent.request(methods.agent.session.setMode, { sessionId, modeId });
  }

  prompt(sessionId: string, ...blocks: readonly (string | { readonly data: string })[]): Promise<PromptResponse> {
    const prompt = blocks.map((block) =>
      typeof block === "string"
        ? { type: "text" as const, text: block }
        : { type: "image" as const, mimeType: "image/png", data: block.data },
    );
    return this.#connection.agent.request(methods.agent.session.prompt, { sessionId, prompt });
  }

  cancel(sessionId: string): Promise<void> {
    return this.#connection.agent.notify(methods.agent.session.cancel, { sessionId });
  }

  /** The text of the updates of that kind, joined. */
  text(kind: "agent_message_chunk" | "user_message_chunk" = "agent_message_chunk"): string {
    return this.updates
      .map((update) => (update.sessionUpdate === kind && update.content.type === "text" ? update.content.text : ""))
      .join("");
  }

  /** Resolves when the team has said that. */
  async said(text: string): Promise<void> {
    while (!this.text().includes(text)) await this.#grown.promise;
  }

  /** Closes the agent's input; resolves with its exit code. */
  async end(): Promise<number | null> {
    this.#close();
    return this.#ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }
}

const bytesOf = (stream: Readable): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (controller) => {
      stream.on("data", (bytes: Uint8Array) => controller.enqueue(bytes));
      stream.on("end", () => controller.close());
    },
  });
