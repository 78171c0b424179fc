import { type History, HistoryNotRead, isPaged } from "../log/history.ts";
import { type TeamTree, teamsIn } from "../run/team-tree.ts";
import { readHistory } from "./read-history.ts";

/** The history of a team from a store, which is read only when something needs it. */
export class StoredHistory {
  readonly #tree: () => TeamTree;
  readonly #history: History | undefined;
  #reading: Promise<void> | undefined;

  constructor(tree: () => TeamTree, history: History | undefined) {
    this.#tree = tree;
    this.#history = history;
  }

  /** See `Team.prepare`. */
  read(): Promise<void> | undefined {
    const tree = this.#tree();
    if (tree.transcript.isReady) return undefined;
    const history = this.#history?.all();
    if (history === undefined || !isPaged(history)) return undefined;
    this.#reading ??= readHistory(tree, history).finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  /** Reads and counts what `inspect` needs; see `Team.prepareInspection`. */
  async readFor(inspect: () => unknown): Promise<void> {
    const transcripts = [...teamsIn(this.#tree())].map(({ team }) => team.transcript);
    const count = async (): Promise<void> => {
      while (transcripts.some((transcript) => transcript.prepareShown()))
        await new Promise((resolve) => setImmediate(resolve));
    };
    for (const transcript of transcripts) await transcript.prepareRecent();
    await count();
    try {
      inspect();
    } catch (error) {
      if (!(error instanceof HistoryNotRead)) throw error;
      await this.read();
      await count();
    }
  }
}
