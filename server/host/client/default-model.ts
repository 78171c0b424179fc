import { type Connection, DidChangeConfigurationNotification, MessageType } from "vscode-languageserver/node";
import { ModelDefinition } from "../../../shared/contract/definition.ts";
import { messageOf } from "../../../shared/contract/errors.ts";
import { schemaProblems } from "../definition/schema-problems.ts";
import { toProblem } from "../definition/validation-problem.ts";

const SECTION = "gavel.model";

/** How long a client may take to say its settings before the host goes on without, in milliseconds. */
const TIMEOUT_MS = 2_000;

export interface ClientSettings {
  /** The client answers `workspace/configuration`. */
  readonly canAsk: boolean;
  /** The client lets the host ask to be told of changes. */
  readonly canRegister: boolean;
}

/** The model of participants that name none in a team that has none: the client's setting `gavel.model`. */
export class DefaultModel {
  readonly #connection: Connection;
  readonly #settings: ClientSettings;
  #value: ModelDefinition | undefined;
  #requested: Promise<void> | undefined;

  constructor(connection: Connection, settings: ClientSettings) {
    this.#connection = connection;
    this.#settings = settings;
    connection.onDidChangeConfiguration(() => {
      this.#requested = this.#requestWithTimeout();
    });
  }

  /** The setting as it was last told. */
  get value(): ModelDefinition | undefined {
    return this.#value;
  }

  /** Called when the client is ready to be asked. */
  async subscribe(): Promise<void> {
    if (this.#settings.canRegister) {
      const section = { section: "gavel" };
      await this.#connection.client.register(DidChangeConfigurationNotification.type, section).catch(() => {});
    }
  }

  /** Resolves when the setting is known, or the client has been waited for long enough. Never rejects. */
  ready(): Promise<void> {
    this.#requested ??= this.#requestWithTimeout();
    return this.#requested;
  }

  async #requestWithTimeout(): Promise<void> {
    const patience = Promise.withResolvers<void>();
    const timer = setTimeout(patience.resolve, TIMEOUT_MS);
    await Promise.race([this.#request(), patience.promise]);
    clearTimeout(timer);
  }

  async #request(): Promise<void> {
    if (!this.#settings.canAsk) return;
    try {
      const value: unknown = await this.#connection.workspace.getConfiguration({ section: SECTION });
      this.#value = value === null || value === undefined ? undefined : this.#parse(value);
    } catch (error) {
      this.#connection.console.warn(`The setting ${SECTION} could not be read: ${messageOf(error)}.`);
    }
  }

  #parse(value: unknown): ModelDefinition | undefined {
    const parsed = ModelDefinition.safeParse(value);
    if (parsed.success) return parsed.data;
    const problems = schemaProblems(ModelDefinition, value, parsed.error.issues)
      .map(toProblem)
      .map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
    const message = `The setting ${SECTION} is not used: ${problems.join("; ")}.`;
    void this.#connection.sendNotification("window/showMessage", { type: MessageType.Warning, message });
    return undefined;
  }
}
