import type { Memento } from "vscode";
import { window } from "vscode";

/** Which key may go to which hosts. It is kept with the user, where no workspace can write it. */
const ALLOWED = "gavel.keyHosts";

/**
 * A team file names both a key and the address that it goes to, and may come from anyone: so the user is asked once for each
 * pair of the two.
 */
export class ApiKeyPermissions {
  readonly #memento: Memento;
  /** Participants that need a key at once are one question. */
  readonly #asking = new Map<string, Promise<boolean>>();

  constructor(memento: Memento) {
    this.#memento = memento;
  }

  /** Whether the key of that name may be sent to `host`; asks the user the first time. */
  async isAllowed(name: string, host: string): Promise<boolean> {
    if (this.#hosts(name).includes(host)) return true;
    const pair = JSON.stringify([name, host]);
    const asked = this.#asking.get(pair) ?? this.#ask(name, host).finally(() => this.#asking.delete(pair));
    this.#asking.set(pair, asked);
    return asked;
  }

  /** Forgets where a key may go: another key of that name is asked about anew. */
  async forget(name: string): Promise<void> {
    const { [name]: _, ...others } = this.#all();
    await this.#memento.update(ALLOWED, others);
  }

  async #ask(name: string, host: string): Promise<boolean> {
    const hosts = this.#hosts(name);
    const past = hosts.length === 0 ? "It has been sent nowhere yet." : `Until now it was sent to ${hosts.join(", ")}.`;
    const send = "Send the Key";
    const answer = await window.showWarningMessage(
      `Send your key "${name}" to ${host}?`,
      { modal: true, detail: `The team file asks for it. ${past} Gavel will not ask again for this address.` },
      send,
    );
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
