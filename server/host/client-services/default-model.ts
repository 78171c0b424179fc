import { type Connection, DidChangeConfigurationNotification, MessageType } from "vscode-languageserver/node";
import { ModelDefinition } from "../../../shared/contract/definition.ts";
import { messageOf } from "../../../shared/contract/errors.ts";
import { schemaProblems } from "../definition/schema-problems.ts";
import { toProblem } from "../definition/validation-problem.ts";

const SECTION = "gavel.model";

/** How long the host waits for the client's settings before it continues without them, in milliseconds. */
const TIMEOUT_MS = 2_000;

export interface SettingsSupport {
  /** The client answers `workspace/configuration`. */
  readonly canRequest: boolean;
  /** The client supports dynamic registration for configuration changes. */
  readonly canRegister: boolean;
}

/** The client's setting `gavel.model`: the model of participants without one, in a team without models. */
export class DefaultModel {
  readonly #connection: Connection;
  readonly #settings: SettingsSupport;
  #value: ModelDefinition | undefined;
  #requested: Promise<void> | undefined;

  constructor(connection: Connection, settings: SettingsSupport) {
    this.#connection = connection;
    this.#settings = settings;
    connection.onDidChangeConfiguration(() => {
      this.#requested = this.#requestWithTimeout();
    });
  }

  /** The last known value. */
  get value(): ModelDefinition | undefined {
    return this.#value;
  }

  /** Subscribes to changes. Called after `initialized`. */
  async subscribe(): Promise<void> {
    if (this.#settings.canRegister) {
      const section = { section: "gavel" };
      await this.#connection.client.register(DidChangeConfigurationNotification.type, section).catch(() => {});
    }
  }

  /** Resolves when the value is known, or after a timeout. Never rejects. */
  ready(): Promise<void> {
    this.#requested ??= this.#requestWithTimeout();
    return this.#requested;
  }

  async #requestWithTimeout(): Promise<void> {
    const timeout = Promise.withResolvers<void>();
    const timer = setTimeout(timeout.resolve, TIMEOUT_MS);
    await Promise.race([this.#request(), timeout.promise]);
    clearTimeout(timer);
  }

  async #request(): Promise<void> {
    if (!this.#settings.canRequest) return;
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
    const message = `The setting ${SECTION} is ignored: ${problems.join("; ")}.`;
    void this.#connection.sendNotification("window/showMessage", { type: MessageType.Warning, message });
    return undefined;
  }
}
