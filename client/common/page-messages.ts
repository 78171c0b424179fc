import type { TeamEvent } from "../../shared/contract/event.ts";
import type { PlanItem } from "../../shared/contract/plan.ts";
import type { PresentClient } from "../../shared/contract/presence.ts";
import type { McpServerOffers } from "../../shared/contract/requests/mcp.ts";
import type { StorageStatus } from "../../shared/contract/storage.ts";
import type { Grace, InterruptScope, TeamSnapshot } from "../../shared/contract/team.ts";
import type { Attached, Attachment, Draft, ImageSize } from "./attachments.ts";
import type { CallCard, CardDecision } from "./call-card.ts";
import type { ErrorAction, ErrorActionCommand } from "./error-actions.ts";
import type { OfferedModel } from "./model-name.ts";
import type { SlashCommandName } from "./slash-commands.ts";
import type { TeamProgress } from "./team-progress.ts";

/** An open team in the page's list. */
export interface TeamTab {
  /** Of a file that could not be opened: its URI. */
  readonly teamId: string;
  readonly name: string;
  readonly progress: TeamProgress;
  /** The messages that came while the team was not shown. */
  readonly unread: number;
}

/** Messages from the extension to the chat page. */
export type ToPage =
  /** A team to show, with its last events in order. */
  | {
      readonly type: "team";
      readonly snapshot: TeamSnapshot;
      readonly events: readonly TeamEvent[];
      /** False in an untrusted workspace: the page is read-only. */
      readonly trusted: boolean;
      /** The id of the user of this window. */
      readonly user: string;
      /** What the user is writing to it, for a page that did not show the team before; nothing if left out. */
      readonly draft?: Draft;
    }
  /** The user's settings that the page applies. */
  | {
      readonly type: "settings";
      readonly whileRunning: Delivery;
      /** The name of the model of participants without one of their own; none if there is none. */
      readonly presetModel?: string;
      /** The language models of VS Code, by whose names the page shows those that teams use. */
      readonly offeredModels: readonly OfferedModel[];
    }
  /**
   * Something was attached to the draft of a team, which answers the `attach` of this number: the page may show another team
   * by now. Without a number, another part of the editor was asked.
   */
  | ({ readonly type: "attached"; readonly teamId: string; readonly request?: number } & Attached)
  /** Answers `readImage`: the file in base64, or why it cannot be read, in a sentence. */
  | { readonly type: "imageContent"; readonly uri: string; readonly data?: string; readonly problem?: string }
  /** Answers `searchFiles`. */
  | { readonly type: "matchingFiles"; readonly query: string; readonly files: readonly FoundFile[] }
  /** Answers `listOffers`: what the MCP servers of the team offer. */
  | { readonly type: "offers"; readonly servers: readonly McpServerOffers[] }
  /** The user has changed the draft of the team on another page that shows it. */
  | { readonly type: "draft"; readonly teamId: string; readonly draft: Draft }
  /** A draft that could not be sent comes back. */
  | { readonly type: "unsent"; readonly teamId: string; readonly draft: Draft }
  /** New events, batched to about one frame. */
  | { readonly type: "events"; readonly teamId: string; readonly events: readonly TeamEvent[] }
  /** Answers `earlier`. */
  | { readonly type: "earlier"; readonly teamId: string; readonly events: readonly TeamEvent[] }
  /** No team is open: the page offers the team files of the workspace and stored teams. */
  | {
      readonly type: "welcome";
      readonly trusted: boolean;
      readonly teamFiles: readonly { readonly uri: string; readonly label: string }[];
      /** The user's own team files, for every workspace. */
      readonly ownTeamFiles: readonly { readonly uri: string; readonly label: string }[];
      readonly stored: readonly {
        readonly teamId: string;
        readonly name: string;
        readonly updatedAt: string;
        readonly lastLine?: string;
      }[];
      /** False when no folder is open: teams are then stored for the editor and not for a workspace. */
      readonly workspace: boolean;
    }
  /** A team file that could not be opened, shown with its problems in place of its team. */
  | {
      readonly type: "failedTeam";
      readonly uri: string;
      /** The file's name. */
      readonly name: string;
      /** Whether a default model would solve a problem of it. */
      readonly lacksModel?: true;
      readonly problems: readonly { readonly text: string; readonly line?: number; readonly column?: number }[];
    }
  /** All open teams, in the order in which they were opened. */
  | { readonly type: "teams"; readonly teams: readonly TeamTab[] }
  /** The state of the agent host. The page keeps what it shows while the host is down, with a banner. */
  | { readonly type: "host"; readonly state: "starting" | "ready" | "down" }
  /** Whether what happens is stored. While it is not, the page says so in a banner. */
  | { readonly type: "storage"; readonly status: StorageStatus }
  /** An error or note that is not an event of the team, with the actions to offer, the likeliest first. */
  | { readonly type: "notice"; readonly message: string; readonly actions: readonly ErrorAction[] }
  /** There is no notice about the team that is shown, or no longer. */
  | { readonly type: "noNotice" }
  /** Answers `image`: the URI to load it from; null when it is missing or outside the workspace. */
  | { readonly type: "image"; readonly uri: string; readonly source: string | null }
  /** Answers `findFiles`: what each path names. */
  | { readonly type: "files"; readonly files: readonly FileTarget[] }
  /** Answers `previewInterrupt`: what an interrupt would do to each running call, by ref, to be used within a sentence. */
  | { readonly type: "interruptPreview"; readonly teamId: string; readonly calls: Readonly<Record<string, string>> }
  /** Answers `showCall`, and comes again when something about the call has changed. */
  | { readonly type: "callCard"; readonly teamId: string; readonly card: CallCard }
  /** Who has the team open: the clients, this one among them; none while it is alone. */
  | { readonly type: "presence"; readonly teamId: string; readonly clients: readonly PresentClient[] }
  /** The calls whose edits of files were undone. */
  | { readonly type: "undoneCalls"; readonly teamId: string; readonly refs: readonly string[] }
  /** What the team has changed in files and the user has not kept yet; `commands` counts files that commands changed. */
  | {
      readonly type: "changes";
      readonly teamId: string;
      readonly files: number;
      readonly commands: number;
      readonly added: number;
      readonly removed: number;
    }
  /** Scrolls to the card of a pending call, or the first one, and focuses its button for this. */
  | { readonly type: "revealCall"; readonly ref?: string; readonly decision: "accept" | "reject" }
  /** Scrolls to the row of a call, which may be an earlier one, expands the call and focuses the row. */
  | { readonly type: "showCallRow"; readonly teamId: string; readonly ref: string }
  /** Opens the find widget of the thread: for this text, and first at this message. */
  | { readonly type: "find"; readonly query?: string; readonly messageId?: string }
  /** Sets the composer's addressee, offers a text to an empty one, or attaches something, and focuses it. */
  | ({ readonly type: "compose"; readonly to?: string; readonly text?: string } & Partial<Attached>);

/** A file of which the page has the content, in base64. */
export interface PageContent {
  readonly name: string;
  readonly data: string;
  /** Of an image. */
  readonly size?: ImageSize;
}

/** A file that the user may mean. */
export interface FoundFile {
  readonly uri: string;
  readonly path: string;
  /** Why it may hold secrets. */
  readonly secret?: string | undefined;
}

/** A resource of an MCP server, by its URI there or by a template, for whose parts the user is asked. */
export interface ServerResource {
  readonly server: string;
  readonly uri?: string;
  readonly template?: string;
}

/** The ways to start on the welcome screen. */
export const startWays = ["sample", "moreSamples", "oneAgent", "newTeam", "checkSetup", "openFolder"] as const;
export type StartWay = (typeof startWays)[number];

/** What can be attached besides files. */
export const contextSources = ["selection", "problems", "terminal"] as const;
export type ContextSource = (typeof contextSources)[number];

type Lines = NonNullable<Attachment["lines"]>;

/** What a path in a message names. */
export interface FileTarget {
  /** As it was asked for. */
  readonly path: string;
  readonly kind: "file" | "folder" | "outside" | "missing";
  /** For the user: relative to the workspace, with the folder's name where there are several; absolute when outside. */
  readonly label: string;
}

/** When a message to a participant of a running team is delivered. */
export type Delivery = "now" | "steer" | "queue";

/** What the page posts: a message, about the team that the page shows; none if it shows none. */
export interface PagePost {
  readonly teamId?: string;
  readonly message: FromPage;
}

/** Messages from the chat page to the extension. */
export type FromPage =
  /** The page has loaded. The extension posts nothing before this. */
  | { readonly type: "ready" }
  /** The page has got the focus, or lost it: without this it does not have it. */
  | { readonly type: "focus"; readonly has: boolean }
  /** Starts a run with the text as its task; an empty text continues from the thread. `delivery` is for a running team. */
  | {
      readonly type: "run";
      readonly text: string;
      readonly delivery?: Delivery;
      readonly attachments?: readonly Attachment[];
    }
  /** The user has read the notice. */
  | { readonly type: "dismissNotice" }
  /** The user's answer to the team's question; `handoff` is who speaks next, the team decides if it is left out. */
  | { readonly type: "answer"; readonly text: string; readonly handoff?: string }
  /** A message to one participant. */
  | {
      readonly type: "send";
      readonly to: string;
      readonly text: string;
      /** When a running team delivers it; `now`, by an interrupt, if left out. */
      readonly delivery?: Delivery;
      /** No other participant sees it. */
      readonly onlyTarget?: true;
      readonly attachments?: readonly Attachment[];
    }
  /** What the composer holds, after each change: it outlives the page. */
  | { readonly type: "draft"; readonly teamId: string; readonly draft: Draft }
  /** The user begins to write a message to a team that others have open, or does not write any more. */
  | { readonly type: "writing"; readonly teamId: string; readonly isWriting: boolean }
  /** Something that was written to a team that the page no longer shows: it goes before the draft of that team. */
  | { readonly type: "restoreDraft"; readonly teamId: string; readonly draft: Draft }
  /**
   * Attaches files, something else of the editor's, a file that the page has only the content of, in base64, or a resource
   * of an MCP server. Each is answered with `attached` and its number.
   */
  | {
      readonly type: "attach";
      readonly request: number;
      readonly uris?: readonly string[];
      readonly source?: ContextSource;
      readonly content?: PageContent;
      readonly resource?: ServerResource;
    }
  /** Asks for the `imageContent` of an image that was attached: one after another, as they may be large. */
  | { readonly type: "readImage"; readonly uri: string }
  /** Opens the list of models of the team. */
  | { readonly type: "selectModel" }
  /** Opens the list of what can be attached. */
  | { readonly type: "pickContext" }
  /** Asks for `matchingFiles`. */
  | { readonly type: "searchFiles"; readonly query: string }
  /** Asks for `offers`. */
  | { readonly type: "listOffers" }
  /** Puts a prompt of an MCP server into the draft; the user is asked for its arguments. */
  | { readonly type: "usePrompt"; readonly server: string; readonly prompt: string }
  /** Shows what is attached: a file at its lines, the problems, the terminal, or a resource of an MCP server. */
  | {
      readonly type: "openResource";
      readonly kind: Attachment["kind"];
      readonly uri?: string;
      readonly lines?: Lines;
      readonly server?: string;
    }
  /** Runs the command of a slash command. */
  | { readonly type: "slashCommand"; readonly name: SlashCommandName }
  /** Stops the team, one participant's turn or one call; immediately if `grace` is left out. */
  | { readonly type: "interrupt"; readonly grace?: Grace; readonly scope?: InterruptScope }
  /** Lets a run go on that was to end with the current turn. */
  | { readonly type: "keepRunning" }
  /** Opens the picker of what to stop, and how. */
  | { readonly type: "interruptWith" }
  /** Asks for an `interruptPreview`. */
  | { readonly type: "previewInterrupt" }
  /** Edits, withdraws or reorders queued messages. */
  | {
      readonly type: "queue";
      readonly edit?: { readonly id: string; readonly text: string };
      readonly withdraw?: string;
      readonly order?: readonly string[];
    }
  /** Ends a background command, or shows its output. */
  | { readonly type: "stopCommand"; readonly id: string }
  | { readonly type: "showCommandOutput"; readonly id: string }
  /** Replaces the plan of a participant that the page showed as `was`. */
  | {
      readonly type: "editPlan";
      readonly to: string;
      readonly items: readonly PlanItem[];
      readonly was: readonly PlanItem[];
    }
  /** Undoes the summary of a participant's context, or the request for one. */
  | { readonly type: "restoreContext"; readonly to: string }
  /** Edits or drops a partial message. */
  | { readonly type: "editPartial"; readonly messageId: string }
  | { readonly type: "dropPartial"; readonly messageId: string }
  /** Takes files and thread back to before a message that began a run; the extension asks first. */
  | { readonly type: "restoreCheckpoint"; readonly messageId: string }
  /** Forks the team in its current state. */
  | { readonly type: "fork" }
  /** Ends a run that a budget paused: the next task starts a new run. */
  | { readonly type: "stop" }
  /** Asks where to load an image file of a message from. */
  | { readonly type: "image"; readonly uri: string }
  /** Asks for the `callCard` of a pending call. */
  | { readonly type: "showCall"; readonly ref: string }
  /** The user's decision on a pending call, with the digest of the card that the user saw. */
  | { readonly type: "decide"; readonly ref: string; readonly digest: string; readonly decision: CardDecision }
  /** Accepts several pending calls, one after another, each as its card showed it. */
  | { readonly type: "acceptAll"; readonly calls: readonly { readonly ref: string; readonly digest: string }[] }
  /** Opens the change that a pending call proposes in the diff editor. */
  | { readonly type: "openDiff"; readonly ref: string }
  /** Shows an input that is too long for a card in an editor, and asks for the decision then. */
  | { readonly type: "reviewCall"; readonly ref: string }
  /** Opens the result of a call that waits for review in an editor: saving it there sends the edited one. */
  | { readonly type: "openResult"; readonly ref: string }
  /** Asks for the events before the event number `before`. */
  | { readonly type: "earlier"; readonly before: number }
  | { readonly type: "openFile"; readonly uri: string }
  /** Shows, keeps or undoes all that the team has changed in files. */
  | { readonly type: "changes"; readonly action: "view" | "keep" | "undo" }
  /** Opens one of `teamFiles`. */
  | { readonly type: "openTeam"; readonly uri: string }
  | { readonly type: "openStored"; readonly teamId: string }
  | { readonly type: "openTeamPicker" }
  /** One of the ways to start, from the welcome screen. */
  | { readonly type: "start"; readonly way: StartWay }
  /** Shows another open team; closes one. */
  | { readonly type: "switchTeam"; readonly teamId: string }
  | { readonly type: "closeTeam"; readonly teamId: string }
  | { readonly type: "copy"; readonly text: string }
  /** Opens a web address of a message; VS Code asks the user first. */
  | { readonly type: "openLink"; readonly href: string }
  /** Interrupts the reasoning of a participant, here or in a nested team; the extension asks why. */
  | { readonly type: "interruptReasoning"; readonly participant: string; readonly path: readonly string[] }
  /** Inserts code at the cursor of the active text editor. */
  | { readonly type: "insertCode"; readonly code: string }
  /** Shows what code would change, as a diff: in the first of `paths` that is a file, else in the active text editor. */
  | { readonly type: "applyCode"; readonly code: string; readonly paths: readonly string[] }
  /** Opens code as a new file; `language` is what the message calls it. */
  | { readonly type: "openCode"; readonly code: string; readonly language: string }
  /** Asks which of these paths, without a line, name files of the workspace. */
  | { readonly type: "findFiles"; readonly paths: readonly string[] }
  /** Opens a file that a message names, at its line (see `fileReference`); asks the user first when it is outside. */
  | { readonly type: "openPath"; readonly path: string; readonly beside?: true; readonly keepFocus?: true }
  /** What the user wants to do about a storage that cannot be written. */
  | { readonly type: "storage"; readonly action: "retry" | "continueWithoutSaving" }
  | { readonly type: "errorAction"; readonly command: ErrorActionCommand; readonly argument?: string };
