import type { LogOutputChannel, Memento, SecretStorage } from "vscode";
import { workspace } from "vscode";
import { ApiKeyPermissions } from "./api-key-permissions.ts";

const KEY_PREFIX = "gavel.key.";
/** The names of the stored keys: SecretStorage in older versions of VS Code cannot list them. */
const NAMES = "gavel.keyNames";

/** The user's API keys, in VS Code's SecretStorage. */
export class Credentials {
  readonly #secrets: SecretStorage;
  readonly #memento: Memento;
  readonly #permissions: ApiKeyPermissions;

  constructor(secrets: SecretStorage, memento: Memento, log: LogOutputChannel) {
    this.#secrets = secrets;
    this.#memento = memento;
    this.#permissions = new ApiKeyPermissions(memento, log);
  }

  /** The names of the stored keys. */
  get names(): readonly string[] {
    const stored = this.#memento.get<unknown>(NAMES);
    return Array.isArray(stored) ? stored.filter((name) => typeof name === "string") : [];
  }

  /**
   * The key for the host to send to `endpoint`; null if the user does not allow it, or in Restricted Mode, where no model
   * is called.
   */
  async answer(name: string, endpoint: string | undefined): Promise<string | null> {
    if (!workspace.isTrusted || endpoint === undefined) return null;
    const key = await this.#secrets.get(KEY_PREFIX + name);
    if (key === undefined || !(await this.#permissions.isAllowed(name, endpoint))) return null;
    return key;
  }

  async set(name: string, value: string): Promise<void> {
    await this.#secrets.store(KEY_PREFIX + name, value);
    await this.#memento.update(NAMES, [...this.names.filter((other) => other !== name), name]);
  }

  async forget(name: string): Promise<void> {
    await this.#secrets.delete(KEY_PREFIX + name);
    await this.#permissions.forget(name);
    await this.#memento.update(
      NAMES,
      this.names.filter((other) => other !== name),
    );
  }
}
