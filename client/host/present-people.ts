import type { Disposable } from "vscode";
import type { PresentClient } from "../../shared/contract/presence.ts";
import { LOCAL_USER_ID } from "../common/user-id.ts";
import { Emitter } from "../emitter.ts";
import type { HostPeople } from "./host-people.ts";

/** What a connection tells of people, as far as it is used here. */
export type ConnectedPeople = Pick<HostPeople, "user" | "onPresence" | "setWriting">;

/** Who the user of this window is, and who else has its teams open: as the connection tells that is there now. */
export class PresentPeople implements Disposable {
  #connected: ConnectedPeople | undefined;
  #clients = new Map<string, readonly PresentClient[]>();
  readonly #changed = new Emitter<string>();

  /** Fires with the id of a team whose clients have changed. */
  readonly onChanged = this.#changed.event;

  /** The id of the user of this window. */
  get user(): string {
    return this.#connected?.user?.id ?? LOCAL_USER_ID;
  }

  /** The clients that have the team open; none while this one is alone. */
  in(teamId: string): readonly PresentClient[] {
    const all = this.#clients.get(teamId) ?? [];
    return all.some(({ isSelf }) => !isSelf) ? all : [];
  }

  /** Tells the others whether the user is writing a message to the team. */
  setWriting(teamId: string, isWriting: boolean): void {
    this.#connected?.setWriting(teamId, isWriting);
  }

  /** From now on, another connection tells: that of a process that has just been started or joined. */
  follow(connected: ConnectedPeople): void {
    const before = [...this.#clients.keys()];
    this.#connected = connected;
    this.#clients = new Map();
    connected.onPresence(({ teamId, clients }) => {
      if (this.#connected !== connected) return;
      this.#clients.set(teamId, clients);
      this.#changed.fire(teamId);
    });
    for (const teamId of before) this.#changed.fire(teamId);
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
