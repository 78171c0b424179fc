import type { LogOutputChannel, Memento, SecretStorage } from "vscode";
import { workspace } from "vscode";
import { askModal } from "../dialogs/ask-modal.ts";
import { EndpointPermissions, type EndpointRequest } from "./endpoint-permissions.ts";

const KEY_PREFIX = "gavel.key.";
/** The names of the stored keys: SecretStorage in older versions of VS Code cannot list them. */
const NAMES = "gavel.keyNames";

/** The user's API keys, in VS Code's SecretStorage, and the endpoints to which keys and messages may be sent. */
export class Credentials {
  readonly #secrets: SecretStorage;
  readonly #memento: Memento;
  readonly #permissions: EndpointPermissions;

  constructor(secrets: SecretStorage, memento: Memento, log: LogOutputChannel) {
    this.#secrets = secrets;
    this.#memento = memento;
    this.#permissions = new EndpointPermissions(memento, askModal, log);
  }

  /** The names of the stored keys. */
  get names(): readonly string[] {
    const stored = this.#memento.get<unknown>(NAMES);
    return Array.isArray(stored) ? stored.filter((name) => typeof name === "string") : [];
  }

  /** The origins that the user allows, each with the names of the keys that may be sent there. */
  get endpoints(): EndpointPermissions["all"] {
    return this.#permissions.all;
  }

  /**
   * The key for the host to send to `origin`; null if the user does not allow it, or in Restricted Mode, where no model
   * is called.
   */
  async answer(name: string, { origin, agent }: Pick<EndpointRequest, "origin" | "agent">): Promise<string | null> {
    if (!workspace.isTrusted) return null;
    const key = await this.#secrets.get(KEY_PREFIX + name);
    if (key === undefined || !(await this.#permissions.isAllowed({ origin, secret: name, agent }))) return null;
    return key;
  }

  /** Whether the user allows an endpoint. A key that is stored is part of the question, so that there is only one. */
  async allows({ origin, secret, agent }: EndpointRequest): Promise<boolean> {
    if (!workspace.isTrusted) return false;
    if (this.#permissions.has(origin)) return true;
    const isStored = secret !== undefined && this.names.includes(secret);
    return this.#permissions.isAllowed(isStored ? { origin, secret, agent } : { origin, agent });
  }

  async forgetEndpoint(origin: string): Promise<void> {
    await this.#permissions.forget(origin);
  }

  async set(name: string, value: string): Promise<void> {
    await this.#secrets.store(KEY_PREFIX + name, value);
    await this.#memento.update(NAMES, [...this.names.filter((other) => other !== name), name]);
  }

  async forget(name: string): Promise<void> {
    await this.#secrets.delete(KEY_PREFIX + name);
    await this.#permissions.forgetKey(name);
    await this.#memento.update(
      NAMES,
      this.names.filter((other) => other !== name),
    );
  }
}
