import type { CancellationToken, Disposable, LanguageModelToolInformation, LogOutputChannel } from "vscode";
import { CancellationError, extensions, lm } from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { ToolsCall } from "../../shared/contract/client-requests.ts";
import { messageOf } from "../../shared/contract/errors.ts";
import type { ResultOf } from "../../shared/contract/message-type.ts";
import { type OfferedTool, ToolsOffer } from "../../shared/contract/requests.ts";
import { EXTENSION_TOOL, EXTENSION_TOOL_NAME } from "../../shared/extension-tools.ts";
import { isRecord } from "../../shared/json-record.ts";
import { outputOf } from "./tool-result.ts";

/** The longest text of a failure, in characters: what an extension throws can have any length. */
const MAX_FAILURE = 300;
const MAX_DESCRIPTION = 10_000;
const MAX_TOOLS = 2000;
/** How long after a change of the installed extensions VS Code knows their tools, in milliseconds: no event tells. */
const KNOWN_AFTER_MS = 2000;

/** Offers the host the tools that VS Code's extensions have registered (`lm.tools`), and runs them for it. */
export class ExtensionTools implements Disposable {
  readonly #client: LanguageClient;
  readonly #log: LogOutputChannel;
  readonly #listener: Disposable;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #offered: readonly LanguageModelToolInformation[] = [];

  constructor(client: LanguageClient, log: LogOutputChannel) {
    this.#client = client;
    this.#log = log;
    client.onRequest<unknown, unknown>(ToolsCall.method, (params: unknown, token: CancellationToken) =>
      call(params, token),
    );
    this.#listener = extensions.onDidChange(() => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.update(), KNOWN_AFTER_MS);
    });
  }

  /**
   * Tells the host of the tools if they have changed: called before every request, as VS Code has no event for that.
   * Undefined if they have not.
   */
  update(): Promise<void> | undefined {
    const { tools } = lm;
    const isSame = tools.length === this.#offered.length && tools.every((tool, at) => tool === this.#offered[at]);
    if (isSame || !this.#client.isRunning()) return undefined;
    this.#offered = tools;
    return this.#offer(tools);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#listener.dispose();
  }

  async #offer(tools: readonly LanguageModelToolInformation[]): Promise<void> {
    const offered = tools
      .filter(({ name }) => EXTENSION_TOOL_NAME.test(name))
      .slice(0, MAX_TOOLS)
      .map(
        ({ name, description, inputSchema }): OfferedTool => ({
          name,
          description: description.slice(0, MAX_DESCRIPTION),
          ...(inputSchema === undefined ? {} : { inputSchema }),
        }),
      );
    try {
      await this.#client.sendRequest(ToolsOffer.method, { tools: offered });
    } catch (error) {
      this.#log.warn(`The tools of extensions could not be offered to teams: ${messageOf(error)}`);
    }
  }
}

/** Runs a tool. VS Code asks the user where the tool wants a confirmation. An interrupt is answered at once. */
async function call(params: unknown, token: CancellationToken): Promise<ResultOf<typeof ToolsCall>> {
  const { name, input } = ToolsCall.params.parse(params);
  const own = name.startsWith(EXTENSION_TOOL) ? name.slice(EXTENSION_TOOL.length) : undefined;
  if (own === undefined || !lm.tools.some((tool) => tool.name === own))
    return { error: `No extension of VS Code has registered the tool ${name} now.` };
  const cancelled = new Promise<ResultOf<typeof ToolsCall>>((resolve) => {
    token.onCancellationRequested(() => resolve({ error: "The call was interrupted." }));
  });
  return Promise.race([cancelled, invoke(own, name, isRecord(input) ? input : {}, token)]);
}

async function invoke(
  own: string,
  name: string,
  input: object,
  token: CancellationToken,
): Promise<ResultOf<typeof ToolsCall>> {
  try {
    return { output: outputOf(await lm.invokeTool(own, { input, toolInvocationToken: undefined }, token)) };
  } catch (error) {
    return { error: isCancellation(error) ? declined(name) : failed(name, error) };
  }
}

const isCancellation = (error: unknown): boolean =>
  error instanceof CancellationError || (error instanceof Error && error.name === "Canceled");

const declined = (name: string): string => `The user cancelled ${name} in VS Code's confirmation, so it was not run.`;

function failed(name: string, error: unknown): string {
  const [line = ""] = messageOf(error)
    .trim()
    .split(/[\r\n]/);
  return `The tool ${name} failed: ${line.slice(0, MAX_FAILURE) || "it gave no reason."}`;
}
