import { type CancellationToken, type Memento, type SecretStorage, window, workspace } from "vscode";
import type { McpInput } from "../../shared/contract/client-requests.ts";
import type { ParamsOf } from "../../shared/contract/message-type.ts";
import { plainText } from "../common/plain-text.ts";
import { askText } from "../dialogs/ask-text.ts";

type Question = ParamsOf<typeof McpInput>;

const PREFIX = "gavel.input.";
const SIGN_IN = "gavel.signIn.";
/** The names of what is stored: SecretStorage in older versions of VS Code cannot list them. */
const NAMES = "gavel.inputNames";

/** What the user entered for the placeholders of MCP servers and agents, in VS Code's SecretStorage, secret or not. */
export class ServerInputs {
  readonly #secrets: SecretStorage;
  readonly #memento: Memento;

  constructor(secrets: SecretStorage, memento: Memento) {
    this.#secrets = secrets;
    this.#memento = memento;
  }

  /** The value, which the user is asked for the first time; null without one, and in Restricted Mode. */
  async answer(question: Question, token: CancellationToken): Promise<string | null> {
    if (!workspace.isTrusted || token.isCancellationRequested) return null;
    const name = nameOf(question);
    const known = await this.#secrets.get(PREFIX + name);
    if (known !== undefined) return known;
    const value = await ask(question, token);
    if (value === undefined) return null;
    await this.#secrets.store(PREFIX + name, value);
    await this.#memento.update(NAMES, [...this.#names.filter((other) => other !== name), name]);
    return value;
  }

  /** Whether something was entered for a server of that file, or of the settings. */
  has(from: string | undefined): boolean {
    return this.#names.some((name) => isOf(name, from));
  }

  /** Forgets what was entered for the servers of a file, or of the settings. */
  async forget(from: string | undefined): Promise<void> {
    const names = this.#names;
    for (const name of names.filter((one) => isOf(one, from))) await this.#secrets.delete(PREFIX + name);
    await this.#memento.update(
      NAMES,
      names.filter((one) => !isOf(one, from)),
    );
  }

  /** What is kept of the sign-in to a server, after `value` is kept, or with null forgotten; null for nothing. */
  async signIn(url: string, value: string | null | undefined): Promise<string | null> {
    if (!workspace.isTrusted) return null;
    const name = SIGN_IN + url;
    if (value === null) await this.#secrets.delete(name);
    else if (value !== undefined) await this.#secrets.store(name, value);
    return (await this.#secrets.get(name)) ?? null;
  }

  get #names(): readonly string[] {
    const stored = this.#memento.get<unknown>(NAMES);
    return Array.isArray(stored) ? stored.filter((name) => typeof name === "string") : [];
  }
}

/** An input belongs to its file, as in VS Code: servers of one file share it. */
const nameOf = ({ from, id }: Pick<Question, "from" | "id">): string => `${from ?? ""}#${id}`;
const isOf = (name: string, from: string | undefined): boolean => name.startsWith(`${from ?? ""}#`);

function ask(question: Question, token: CancellationToken): Thenable<string | undefined> {
  const { server, use, id, description, options, password } = question;
  const title = plainText(`${use === "agent" ? "Agent" : "MCP Server"} ${server}`);
  const prompt = description ?? `The value of ${id}`;
  if (options !== undefined) {
    const items = options.map((value) => ({ label: plainText(value), value }));
    const picked = window.showQuickPick(items, { title, placeHolder: plainText(prompt), ignoreFocusOut: true }, token);
    return picked.then((item) => item?.value);
  }
  return askText(
    { title, prompt, value: question.default ?? "", password: password === true, ignoreFocusOut: true },
    token,
  );
}
