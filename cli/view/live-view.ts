import { setInterval } from "node:timers";
import type { ReadStream, WriteStream } from "node:tty";
import type { TeamEvent } from "../../shared/contract/event.ts";
import type { TeamState } from "../../shared/state/team-state.ts";
import { participantPath } from "../../shared/text/nested-teams.ts";
import type { MessageKind } from "../host/client-answers.ts";
import { OWN_USER } from "../host/own-user.ts";
import { Keyboard, type KeyPress } from "../terminal/keyboard.ts";
import { type Footer, Screen } from "../terminal/screen.ts";
import { shownLine } from "../text/shown-text.ts";
import type { Style } from "../text/style.ts";
import { cut } from "../text/wrap.ts";
import { EventLines } from "./event-lines.ts";
import { indented, type Look, noteLines, textColumns } from "./look.ts";
import { Prompts } from "./prompts.ts";
import { statusText } from "./status-line.ts";
import { type StreamPart, Streams } from "./streams.ts";
import type { Listeners, Prompter, View } from "./view.ts";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 120;

interface LiveViewOptions {
  readonly input: ReadStream;
  readonly output: WriteStream;
  readonly style: Style;
  /** The terminal has gone. */
  readonly closed: () => void;
  /** Ctrl+C, while no run listens to it. */
  readonly interrupted: () => void;
}

/** A run at a terminal: text as it streams, and below it what the team does, questions, and what the user types. */
export class LiveView implements View {
  user = OWN_USER;
  readonly #output: WriteStream;
  readonly #style: Style;
  readonly #screen: Screen;
  readonly #keyboard: Keyboard;
  readonly #prompts: Prompts;
  readonly #lines = new EventLines();
  #streams = new Streams();
  #runsOn = (): boolean => false;
  readonly #timer: NodeJS.Timeout;
  readonly #resized: () => void;
  #state: TeamState | undefined;
  #frame = 0;
  #since = performance.now();

  constructor({ input, output, style, closed, interrupted }: LiveViewOptions) {
    this.#output = output;
    this.#style = style;
    this.#screen = new Screen(output);
    this.#prompts = new Prompts(style, { changed: () => this.#draw(), interrupt: interrupted });
    this.#keyboard = new Keyboard(input, {
      write: (text) => void output.write(text),
      pressed: (key: KeyPress) => this.#prompts.pressed(key),
      closed,
    });
    this.#timer = setInterval(() => {
      this.#frame += 1;
      if (this.#isRunning) this.#draw();
    }, FRAME_MS);
    this.#resized = () => {
      this.#screen.resized();
      this.#draw();
    };
    output.on("resize", this.#resized);
  }

  get prompter(): Prompter {
    const screen = this.#screen;
    return {
      choose: (question, signal) => {
        this.#card(question.lines);
        return this.#prompts.choose(question, signal);
      },
      ask: (question, signal) => {
        this.#card(question.lines);
        return this.#prompts.ask(question, signal);
      },
      get columns() {
        return screen.columns;
      },
      get rows() {
        return screen.rows;
      },
    };
  }

  listen(listeners: Listeners): void {
    this.#prompts.listen(listeners);
    this.#runsOn = listeners.runsOn;
  }

  opened(state: TeamState): void {
    this.#state = state;
    const { bold, dim } = this.#style;
    const name = cut(shownLine(state.title ?? state.name), this.#screen.columns - 1);
    const others = state.participants.map((one) => one.name).join(", ");
    this.#lines.opened(state);
    this.#streams = new Streams();
    this.#print([bold(name), dim(cut(shownLine(others), this.#screen.columns - 1)), ...this.#openTexts(state, [])]);
  }

  /** What is being written just now, in this team and in those within it. */
  #openTexts({ streaming, inner = {} }: TeamState, path: readonly string[]): readonly string[] {
    const columns = textColumns(this.#look);
    const own = streaming.flatMap(({ messageId, source, text }) => {
      const part = { path: participantPath(path, source), isThought: false, delta: text };
      return this.#partLines(this.#streams.add(messageId, part, columns));
    });
    return [...own, ...Object.entries(inner).flatMap(([name, team]) => this.#openTexts(team, [...path, name]))];
  }

  show(event: TeamEvent, state: TeamState, isElsewhere: boolean): void {
    const was = this.#isRunning;
    this.#state = state;
    if (!was && this.#isRunning) this.#since = performance.now();
    this.#print(this.#linesOf(event, isElsewhere));
  }

  tell(kind: MessageKind, sentence: string): void {
    const { red, yellow, dim } = this.#style;
    this.#lines.interrupted();
    const paint = { error: red, warning: yellow, info: dim }[kind];
    this.#print(["", ...noteLines(this.#look, sentence, paint)]);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#output.off("resize", this.#resized);
    this.#prompts.end();
    this.#screen[Symbol.dispose]();
    this.#keyboard[Symbol.dispose]();
  }

  get #isRunning(): boolean {
    return this.#state?.status === "running" || this.#state?.status === "interrupting";
  }

  get #look(): Look {
    const { participants = [], people = [] } = this.#state ?? {};
    return { style: this.#style, columns: this.#screen.columns, participants, people, user: this.user };
  }

  #linesOf(event: TeamEvent, isElsewhere: boolean): readonly string[] {
    const columns = textColumns(this.#look);
    const path = "path" in event ? event.path : undefined;
    switch (event.type) {
      case "message/chunk": {
        this.#lines.of(event, this.#look);
        const source = participantPath(path, event.source);
        const thoughts = this.#endThoughts(source);
        const part = { path: source, isThought: false, delta: event.delta };
        return [...thoughts, ...this.#partLines(this.#streams.add(event.messageId, part, columns))];
      }
      case "reasoning/chunk": {
        const source = participantPath(path, event.from);
        const part = { path: source, isThought: true, delta: event.delta };
        return this.#partLines(this.#streams.add(`thought ${source}`, part, columns));
      }
      case "reasoning/thought": {
        const source = participantPath(path, event.from);
        const streamed = this.#streams.of(source, true);
        return streamed.length > 0 ? this.#endThoughts(source) : this.#lines.of(event, this.#look);
      }
      case "message/added": {
        const { id, partial } = event.message;
        if (!this.#streams.has(id)) return this.#lines.of(event, this.#look, isElsewhere);
        const cutShort = partial === true ? [indented(this.#style.yellow("… interrupted"))] : [];
        return [...this.#partLines(this.#streams.end(id, columns)), ...cutShort];
      }
      case "tool/requested":
        return [...this.#endStep(participantPath(path, event.participant)), ...this.#lines.of(event, this.#look)];
      case "run/ended":
        return [...(path === undefined ? this.#endAll() : []), ...this.#lines.of(event, this.#look)];
      default:
        return this.#lines.of(event, this.#look, isElsewhere);
    }
  }

  #endThoughts(source: string): readonly string[] {
    const columns = textColumns(this.#look);
    return this.#streams.of(source, true).flatMap((id) => this.#partLines(this.#streams.end(id, columns)));
  }

  /** The text that came with calls is no message of its own. */
  #endStep(source: string): readonly string[] {
    const columns = textColumns(this.#look);
    const texts = this.#streams.of(source, false);
    if (texts.length > 0) this.#lines.streamed(source);
    const shown = texts.flatMap((id) => this.#partLines(this.#streams.end(id, columns)));
    return [...this.#endThoughts(source), ...shown];
  }

  /** A step that failed leaves its text open. */
  #endAll(): readonly string[] {
    const names = new Set(this.#streams.paths());
    const columns = textColumns(this.#look);
    return [...names].flatMap((source) =>
      [...this.#streams.of(source, true), ...this.#streams.of(source, false)].flatMap((id) =>
        this.#partLines(this.#streams.end(id, columns)),
      ),
    );
  }

  #partLines(parts: readonly StreamPart[]): readonly string[] {
    return parts.flatMap(({ path, isThought, isFirst, lines }) => {
      const paint = isThought ? this.#style.dim : (line: string) => line;
      const heading = isFirst ? this.#lines.heading(this.#look, path) : [];
      return [...heading, ...lines.map((line) => indented(line === "" ? "" : paint(line)))];
    });
  }

  /** What a question is about stays above its answers: it may be longer than the terminal is high. */
  #card(lines: readonly string[]): void {
    if (lines.length === 0) return;
    this.#lines.interrupted();
    this.#print(["", ...lines]);
  }

  #print(lines: readonly string[]): void {
    this.#screen.draw(lines, this.#footer());
  }

  #draw(): void {
    this.#print([]);
  }

  #footer(): Footer {
    const columns = this.#screen.columns;
    const open = this.#streams.open(textColumns(this.#look));
    const paint = open?.isThought === true ? this.#style.dim : (line: string) => line;
    const streamed = open === undefined ? [] : [open.text === "" ? "" : indented(paint(open.text))];
    const asked = this.#prompts.footer(columns);
    if (asked === undefined && !this.#isRunning) return { lines: streamed };
    const status = asked?.isQuestion === true ? [] : ["", this.#status(columns)];
    const lines = [...streamed, ...status, ...(asked?.lines ?? [])];
    const cursor = asked?.cursor;
    const above = streamed.length + status.length;
    return { lines, cursor: cursor === undefined ? undefined : { ...cursor, row: cursor.row + above } };
  }

  #status(columns: number): string {
    if (this.#state === undefined) return "";
    const frame = FRAMES[this.#frame % FRAMES.length] ?? "";
    const seconds = Math.floor((performance.now() - this.#since) / 1000);
    const leaves = columns >= 80 && this.#runsOn() ? " · Ctrl+D leaves" : "";
    const hint = columns >= 60 ? ` · Ctrl+C interrupts${leaves}` : "";
    const time = seconds < 2 ? "" : ` · ${seconds} s`;
    const text = cut(statusText(this.#state), columns - 4 - hint.length - time.length);
    return `${this.#style.yellow(frame)} ${this.#style.dim(`${text}${time}${hint}`)}`;
  }
}
