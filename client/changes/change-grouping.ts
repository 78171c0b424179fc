import type { Disposable, Memento } from "vscode";
import { commands, EventEmitter } from "vscode";
import { BY_TURN_KEY } from "../contributions.ts";

const STORED = "gavel.changesByTurn";

/** How the changes view groups what a team changed: by file, or by turn. The workspace remembers it. */
export class ChangeGrouping implements Disposable {
  readonly #memento: Memento;
  readonly #changed = new EventEmitter<void>();
  readonly onChanged = this.#changed.event;

  constructor(memento: Memento) {
    this.#memento = memento;
    this.#tell();
  }

  get isByTurn(): boolean {
    return this.#memento.get<unknown>(STORED) === true;
  }

  async set(isByTurn: boolean): Promise<void> {
    await this.#memento.update(STORED, isByTurn);
    this.#tell();
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #tell(): void {
    void commands.executeCommand("setContext", BY_TURN_KEY, this.isByTurn);
  }
}
