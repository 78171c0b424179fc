import type { Memento, SecretStorage } from "vscode";
import { workspace } from "vscode";
import { ApiKeyPermissions } from "./api-key-permissions.ts";

const KEY_PREFIX = "gavel.key.";
/** The names, never the keys: SecretStorage of older editors can not list what it holds. */
const NAMES = "gavel.keyNames";

/** The user's keys, in the editor's SecretStorage alone. */
export class Credentials {
  readonly #secrets: SecretStorage;
  readonly #memento: Memento;
  readonly #permissions: ApiKeyPermissions;

  constructor(secrets: SecretStorage, memento: Memento) {
    this.#secrets = secrets;
    this.#memento = memento;
    this.#permissions = new ApiKeyPermissions(memento);
  }

  /** The names under which keys are stored. */
  get names(): readonly string[] {
    const stored = this.#memento.get<unknown>(NAMES);
    return Array.isArray(stored) ? stored.filter((name) => typeof name === "string") : [];
  }

  /**
   * What the host is given to send to `endpoint`: nothing without the user's consent, and nothing in a workspace that is not
   * trusted, where no model is called.
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
