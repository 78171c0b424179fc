import { type Connection, DidChangeConfigurationNotification, MessageType } from "vscode-languageserver/node";
import { messageOf } from "../../../shared/contract/errors.ts";

/** How long the host waits for a client that does not say what its settings are, in milliseconds. */
const TIMEOUT_MS = 10_000;

export interface SettingsSupport {
  /** The client answers `workspace/configuration`. */
  readonly canRequest: boolean;
  /** The client supports dynamic registration for configuration changes. */
  readonly canRegister: boolean;
}

/** The value to use for a setting, and what is wrong with the client's value, as one sentence for the user. */
export interface ParsedSetting<T> {
  readonly value: T;
  readonly problem?: string;
}

/** One setting of the client: its last known value. */
export class ClientSetting<T> {
  readonly section: string;
  readonly #parse: (value: unknown) => ParsedSetting<T>;
  #value: T;

  /** `parse` gets the client's value, `undefined` if it has none. */
  constructor(section: string, parse: (value: unknown) => ParsedSetting<T>) {
    this.section = section;
    this.#parse = parse;
    this.#value = parse(undefined).value;
  }

  get value(): T {
    return this.#value;
  }

  /** Takes the client's value. Returns what is wrong with it. */
  update(value: unknown): string | undefined {
    const parsed = this.#parse(value ?? undefined);
    this.#value = parsed.value;
    return parsed.problem;
  }
}

/** Requests settings from the client: when the host starts, and again when they change. */
export class ClientSettings {
  readonly #connection: Connection;
  readonly #support: SettingsSupport;
  readonly #settings: readonly ClientSetting<unknown>[];
  #requested: Promise<void> | undefined;

  /** `changed` is called each time after the client has changed them and the new values are known. */
  constructor(
    connection: Connection,
    support: SettingsSupport,
    settings: readonly ClientSetting<unknown>[],
    changed: () => void,
  ) {
    this.#connection = connection;
    this.#support = support;
    this.#settings = settings;
    connection.onDidChangeConfiguration(() => {
      this.#requested = this.#requestWithTimeout();
      void this.#requested.then(changed);
    });
  }

  /** Subscribes to changes. Called after `initialized`. */
  async subscribe(): Promise<void> {
    if (this.#support.canRegister) {
      const options = { section: ["gavel", "http"] };
      await this.#connection.client.register(DidChangeConfigurationNotification.type, options).catch(() => {});
    }
  }

  /** Resolves when the values are known, or after a timeout. Never rejects. */
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
    if (!this.#support.canRequest) return;
    const items = this.#settings.map(({ section }) => ({ section }));
    try {
      const values: unknown[] = await this.#connection.workspace.getConfiguration(items);
      for (const [at, setting] of this.#settings.entries()) this.#warn(setting.update(values[at]));
    } catch (error) {
      const sections = this.#settings.map(({ section }) => section).join(", ");
      this.#connection.console.warn(`The settings ${sections} could not be read: ${messageOf(error)}.`);
    }
  }

  #warn(message: string | undefined): void {
    if (message === undefined) return;
    void this.#connection.sendNotification("window/showMessage", { type: MessageType.Warning, message });
  }
}
