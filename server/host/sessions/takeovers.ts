import { messageOf } from "../../../shared/contract/errors.ts";
import type { HostLog } from "../log/host-log.ts";

export interface TakeoverOptions {
  /** How often it is looked for such teams, in milliseconds. */
  readonly every: number;
  /** The teams whose host has died while it had them. */
  readonly abandoned: () => Promise<readonly string[]>;
  /** Closes the run of a team, if no other host does. */
  readonly takeOver: (teamId: string) => Promise<void>;
  /** Called as often: what other hosts have done is to be seen. */
  readonly look: () => Promise<void>;
  readonly log: HostLog;
}

/**
 * Takes over the teams of hosts that share a store on a server and have died: what they were saying is kept, and they can go
 * on here. Who has opened them elsewhere sees it too.
 */
export class Takeovers implements Disposable {
  readonly #options: TakeoverOptions;
  readonly #timer: ReturnType<typeof setInterval>;
  #isLooking = false;

  constructor(options: TakeoverOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.#look(), options.every);
    this.#timer.unref();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    // Without an answer of the store it is tried again.
    for (const teamId of await this.#options.abandoned().catch(() => [])) await this.#takeOver(teamId);
    await this.#options.look().catch(() => {});
    this.#isLooking = false;
  }

  /** One that cannot be taken over, such as a damaged one, keeps no other from it. */
  async #takeOver(teamId: string): Promise<void> {
    const { takeOver, log } = this.#options;
    try {
      await takeOver(teamId);
      log.info(`Team ${teamId} was taken over from a host that has died.`);
    } catch (error) {
      // Another host may have been faster.
      log.debug(`Team ${teamId} of a host that has died was not taken over: ${messageOf(error)}`);
    }
  }
}
