import { LLMock } from "@copilotkit/aimock";

/** An OpenAI-compatible endpoint that we did not write, on a free port of this machine. */
export class FakeEndpoint implements AsyncDisposable {
  readonly mock: LLMock;

  private constructor(mock: LLMock) {
    this.mock = mock;
  }

  static async start(): Promise<FakeEndpoint> {
    const mock = new LLMock({ port: 0, logLevel: "silent" });
    await mock.start();
    return new FakeEndpoint(mock);
  }

  get baseUrl(): string {
    return `${this.mock.url}/v1`;
  }

  /** Answers every request of that participant, known by its instructions, with a text. */
  says(participant: string, content: string, pace: { chunkSize?: number; latency?: number } = {}): this {
    this.mock.on({ systemMessage: `I am ${participant}.` }, { content }, pace);
    return this;
  }

  /** Answers that participant's requests before any tool has run with tool calls. */
  calls(participant: string, toolCalls: readonly { id?: string; name: string; arguments: string }[]): this {
    this.mock.on({ systemMessage: `I am ${participant}.`, hasToolResult: false }, { toolCalls: [...toolCalls] });
    return this;
  }

  /** What the endpoint was asked, each request's conversation as `role: text`. */
  get conversations(): string[][] {
    return this.mock.getRequests().map(({ body }) => {
      const messages = body !== null && "messages" in body && Array.isArray(body.messages) ? body.messages : [];
      return messages.map(
        (message: { role: string; content?: unknown }) => `${message.role}: ${textOf(message.content)}`,
      );
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.mock.stop();
  }
}

const textOf = (content: unknown): string => (typeof content === "string" ? content : JSON.stringify(content ?? ""));
