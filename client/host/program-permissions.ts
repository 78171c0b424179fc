import type { LogOutputChannel, Memento } from "vscode";
import { ProgramQuestion } from "../../shared/contract/program.ts";
import { programDetail, whatIs } from "../../shared/text/program-text.ts";
import { LEGEND, visibleText } from "../../shared/text/visible-text.ts";

/** Kept in the editor's storage, where no workspace can change it. */
const ALLOWED = "gavel.programs";

const START = "Start";
const CONNECT = "Connect";
type Answer = typeof START | typeof CONNECT;

/** Asks in a modal dialog; returns the label of the button that was clicked. */
type Ask = (question: string, detail: string, answer: Answer) => Thenable<Answer | undefined>;

export interface ProgramPermissionsOptions {
  /** For what the user's own settings ask for, in every workspace. */
  readonly everywhere: Memento;
  /** For what files ask for, in this workspace. */
  readonly here: Memento;
  readonly ask: Ask;
  /** A file's URI, as the user knows it. */
  readonly fileName: (uri: string) => string;
  readonly log: LogOutputChannel;
}

/**
 * Asks the user once for each program that a file or the settings ask for, and remembers what is allowed: exactly this
 * command, with its arguments, folder and variables, for that file.
 */
export class ProgramPermissions {
  readonly #options: ProgramPermissionsOptions;
  /** One dialog at a time; questions that need the same answer share one. */
  readonly #asking = new Map<string, Promise<boolean>>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: ProgramPermissionsOptions) {
    this.#options = options;
  }

  /** What is allowed here. */
  get all(): readonly ProgramQuestion[] {
    const { everywhere, here } = this.#options;
    return [everywhere, here].flatMap(stored);
  }

  /** Whether the program may be started; asks the user the first time. False when `cancelled` before it is asked. */
  async isAllowed(question: ProgramQuestion, cancelled: () => boolean = () => false): Promise<boolean> {
    if (this.#covers(question)) return true;
    const id = JSON.stringify(question);
    const asked = this.#asking.get(id) ?? this.#inTurn(question, cancelled).finally(() => this.#asking.delete(id));
    this.#asking.set(id, asked);
    return asked;
  }

  /** The program is no longer allowed. */
  async forget(question: ProgramQuestion): Promise<void> {
    const { everywhere, here } = this.#options;
    for (const memento of [everywhere, here]) {
      await memento.update(
        ALLOWED,
        stored(memento).filter((one) => !isSame(one, kept(question))),
      );
    }
  }

  #covers(question: ProgramQuestion): boolean {
    return stored(this.#mementoOf(question)).some((one) => isSame(one, kept(question)));
  }

  #mementoOf({ from }: ProgramQuestion): Memento {
    return from === undefined ? this.#options.everywhere : this.#options.here;
  }

  #inTurn(question: ProgramQuestion, cancelled: () => boolean): Promise<boolean> {
    const answer = this.#last.then(() => (cancelled() ? false : this.#answer(question)));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async #answer(question: ProgramQuestion): Promise<boolean> {
    const { ask, log } = this.#options;
    const isHere = "command" in question.start;
    const label = isHere ? START : CONNECT;
    const answer = await ask(`${label} the ${whatIs(question)}?`, this.#detail(question), label);
    log.info(`The ${whatIs(question)}: ${answer === label ? "allowed" : "not allowed"}.`);
    if (answer !== label) return false;
    const memento = this.#mementoOf(question);
    const others = stored(memento).filter(({ use, name, from }) => !isSameSource({ use, name, from }, question));
    await memento.update(ALLOWED, [...others, kept(question)]);
    return true;
  }

  #detail(question: ProgramQuestion): string {
    const { start, from } = question;
    const asking = from === undefined ? "your settings" : this.#options.fileName(from);
    const texts = programDetail(question);
    const again = `${from === undefined ? "" : " in this workspace"} until any of this changes`;
    const detail = [
      ...texts,
      `Asked for by ${visibleText(asking).text}.`,
      `If you allow it, Gavel will not ask again${again}.`,
    ];
    const { written } = visibleText(
      "command" in start
        ? [start.command, ...start.args, start.folder, ...start.environment].join("")
        : [start.url, ...start.headers].join(""),
    );
    return [...detail, ...(written ? [LEGEND] : [])].join("\n\n");
  }
}

const isSameSource = (a: Pick<ProgramQuestion, "use" | "name" | "from">, b: ProgramQuestion): boolean =>
  a.use === b.use && a.name === b.name && a.from === b.from;

const isSame = (a: ProgramQuestion, b: ProgramQuestion): boolean => JSON.stringify(a) === JSON.stringify(b);

/** What is remembered of an allowed program: the digest covers the variables and headers, which may be secret. */
function kept(question: ProgramQuestion): ProgramQuestion {
  const { start } = question;
  return { ...question, start: "command" in start ? { ...start, environment: [] } : { ...start, headers: [] } };
}

/** What is stored, as far as it has the right form. */
function stored(memento: Memento): readonly ProgramQuestion[] {
  const value: unknown = memento.get(ALLOWED);
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: unknown) => {
    const parsed = ProgramQuestion.safeParse(one);
    return parsed.success ? [parsed.data] : [];
  });
}
