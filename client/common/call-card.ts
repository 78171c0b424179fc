/** What the chat's card of a pending call shows. The page renders it, and sends its digest with the user's decision. */
export interface CallCard {
  readonly ref: string;
  /** Of everything that the card shows and of the call itself: a decision is valid for exactly this. */
  readonly digest: string;
  /** The participants that one decision is for. */
  readonly callers: string;
  /** True when they are several, who made the same call. */
  readonly isShared?: true;
  readonly body: CardBody;
  /** Why the call would fail now, as a sentence or more. */
  readonly problem?: string;
  /** The rules that would allow calls like this one, the narrowest first; none where no rule can decide. */
  readonly rules: readonly RuleChoice[];
  readonly scopes: readonly RuleScope[];
  /** What others have approved where it is not what the call proposes: another input, or an answer in its place. */
  readonly otherApproved?: {
    readonly how: "restart" | "respond";
    readonly text: string;
    /** False when the text is only the beginning: it cannot be approved here. */
    readonly isWhole: boolean;
  };
  /** It has changed since the user was shown it. */
  readonly changed?: true;
  /** A dialog asks again before the call runs, as the user's settings say. */
  readonly asksAgain?: true;
}

export type CardBody =
  | { readonly kind: "edit"; readonly edit: ShownEdit }
  /** Changes of several files, which are made together. */
  | { readonly kind: "edits"; readonly edits: readonly ShownEdit[] }
  | { readonly kind: "command"; readonly command: ShownCommand }
  /** A web page to read. The host is also shown apart, as addresses can be long. */
  | { readonly kind: "page"; readonly url: string; readonly host: string }
  | { readonly kind: "input"; readonly input: unknown }
  /** The result of a call that has run: its beginning, and how long it is as a whole. */
  | { readonly kind: "result"; readonly text: string; readonly characters: number; readonly isError: boolean }
  /** An input that is too long for the card: the user reads it in an editor before the decision. */
  | { readonly kind: "long"; readonly characters: number };

/** A command, exactly, and where it runs. */
export interface ShownCommand {
  readonly line: string;
  readonly folder: string;
  readonly timeoutSeconds?: number;
  /** It goes on after its call. */
  readonly background?: true;
  /** Whether it runs in the sandbox, or what running outside it means, in a sentence. */
  readonly sandbox?: string;
}

/** What a call would do to a file. */
export interface ShownEdit {
  /** As shown to the user. */
  readonly path: string;
  readonly isNew: boolean;
  readonly isDeleted?: true;
  /** The path, as shown to the user, that the file is moved from. */
  readonly movedFrom?: string;
  readonly added: number;
  readonly removed: number;
  /** The changed parts with the lines around them; the last ones are left out of a long diff. */
  readonly hunks: readonly DiffHunk[];
  /** How many lines of the diff are left out. */
  readonly omitted: number;
}

export interface DiffHunk {
  /** The numbers of its first line in the file before and after, from 1. */
  readonly before: number;
  readonly after: number;
  readonly lines: readonly DiffLine[];
}

export interface DiffLine {
  readonly kind: "same" | "added" | "removed";
  /** Without its line break. */
  readonly text: string;
  /** The part that differs from the line in its place, as positions in `text`. */
  readonly mark?: readonly [from: number, to: number];
  /** It is the file's last line and has no line break. */
  readonly unended?: true;
}

/** Rules that one choice adds. */
export interface RuleChoice {
  readonly label: string;
  /** Each rule whole. For the exact input, which the card shows, none. */
  readonly rules: readonly string[];
}

/** How long a rule applies. */
export type RuleScope = "run" | "workspace" | "always";

/** The user's decision on the card of a pending call. */
export type CardDecision =
  | { readonly how: "accept" }
  /** A command that failed in the sandbox runs outside it. */
  | { readonly how: "runOutside" }
  /** Approves what others have approved in its place. */
  | { readonly how: "join" }
  /** Runs another command in its place. */
  | { readonly how: "edit"; readonly command: string }
  /** Adds the rules of a choice, by its index, and runs the call. */
  | { readonly how: "allow"; readonly choice: number; readonly scope: RuleScope }
  | { readonly how: "reject"; readonly reason?: string }
  | { readonly how: "answer"; readonly output: string }
  /** Gives the model this in place of the result that waits for review. */
  | { readonly how: "sendEdited"; readonly text: string };
