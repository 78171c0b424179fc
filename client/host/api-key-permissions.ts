import type { LogOutputChannel, Memento } from "vscode";
import { listText } from "../common/list-text.ts";
import { askModal } from "../dialogs/ask-modal.ts";

/** Which key may be sent to which hosts. It is stored in global state, where no workspace can change it. */
const ALLOWED = "gavel.keyHosts";

/**
 * Asks the user once for each pair of an API key and a host whether the key may be sent there: a team file names both,
 * and may come from anyone.
 */
export class ApiKeyPermissions {
  readonly #memento: Memento;
  readonly #log: LogOutputChannel;
  /** Questions that are open: participants that need the same key at the same time share one. */
  readonly #asking = new Map<string, Promise<boolean>>();

  constructor(memento: Memento, log: LogOutputChannel) {
    this.#memento = memento;
    this.#log = log;
  }

  /** Whether the key may be sent to `host`; asks the user the first time. */
  async isAllowed(name: string, host: string): Promise<boolean> {
    if (this.#hosts(name).includes(host)) return true;
    const pair = JSON.stringify([name, host]);
    const asked = this.#asking.get(pair) ?? this.#ask(name, host).finally(() => this.#asking.delete(pair));
    this.#asking.set(pair, asked);
    return asked;
  }

  /** Forgets where a key may be sent, so that the user is asked again. */
  async forget(name: string): Promise<void> {
    const { [name]: _, ...others } = this.#all();
    await this.#memento.update(ALLOWED, others);
  }

  async #ask(name: string, host: string): Promise<boolean> {
    const hosts = this.#hosts(name);
    const history =
      hosts.length === 0
        ? "Gavel has not sent this key anywhere yet."
        : `So far, Gavel has sent this key only to ${listText(hosts)}.`;
    const send = "Send the Key";
    const answer = await askModal(
      `Send your key "${name}" to ${host}?`,
      `The team file requests the key. ${history} If you allow it, Gavel will not ask again for this host.`,
      send,
    );
    this.#log.info(`API key "${name}" for ${host}: ${answer ?? "not sent"}.`);
    if (answer !== send) return false;
    await this.#memento.update(ALLOWED, { ...this.#all(), [name]: [...this.#hosts(name), host] });
    return true;
  }

  #hosts(name: string): readonly string[] {
    const hosts = this.#all()[name];
    return Array.isArray(hosts) ? hosts.filter((host) => typeof host === "string") : [];
  }

  #all(): Readonly<Record<string, unknown>> {
    return this.#memento.get<Record<string, unknown>>(ALLOWED) ?? {};
  }
}
