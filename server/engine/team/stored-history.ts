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

  /** See `Team.prepareRun`. `ignoresMessages` says whether the team's manager selects speakers without reading messages. */
  readForRun(ignoresMessages: boolean): Promise<void> | undefined {
    const tree = this.#tree();
    const { transcript, ledger, inner } = tree;
    if (transcript.isReady || transcript.startsFromEnd) return undefined;
    const { state } = ledger;
    const isSimple =
      ignoresMessages &&
      inner.size === 0 &&
      !state.interrupted &&
      Object.keys(state.contexts ?? {}).length === 0 &&
      state.participants.every(({ kind }) => kind === "assistant");
    return isSimple && this.#reading === undefined ? this.#readEnd(tree) : this.read();
  }

  /** Reads the end of the history, and all of it where that is not enough; otherwise the rest is read during the run. */
  async #readEnd({ transcript, ledger: { state }, conditions, contextOf }: TeamTree): Promise<void> {
    await transcript.prepareRecent();
    const turns = state.participants.map(({ name }) => [name, contextOf(name)] as const);
    const counted = conditions.isAny ? state.conditionMessages : undefined;
    if (!transcript.startFromEnd(turns, counted, () => this.read())) await this.read();
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
