import type { TeamEvent } from "../../shared/contract/event.ts";
import type { Grace, InterruptScope, TeamSnapshot } from "../../shared/contract/team.ts";
import type { ErrorAction, ErrorActionCommand } from "./error-actions.ts";

/** What the chat page is told by the extension. */
export type ToPage =
  /** A team to show, from the start: `events` are its last ones in order, `firstSeq` 1 when there are none before them. */
  | {
      readonly type: "team";
      readonly snapshot: TeamSnapshot;
      readonly events: readonly TeamEvent[];
      /** False in a workspace that is not trusted: the page shows, and offers nothing that runs. */
      readonly trusted: boolean;
    }
  /** Events that came since, coalesced to about a frame. */
  | { readonly type: "events"; readonly teamId: string; readonly events: readonly TeamEvent[] }
  /** Earlier events, as asked for by `earlier`. */
  | { readonly type: "earlier"; readonly teamId: string; readonly events: readonly TeamEvent[] }
  /** No team is open: the page greets, and offers `teamFiles` found in the workspace and `stored` teams. */
  | {
      readonly type: "welcome";
      readonly trusted: boolean;
      readonly teamFiles: readonly { readonly uri: string; readonly label: string }[];
      readonly stored: readonly {
        readonly teamId: string;
        readonly name: string;
        readonly updatedAt: string;
        readonly lastLine?: string;
      }[];
      /** False where no folder is open: then teams are kept in global storage, and the page says so. */
      readonly workspace: boolean;
    }
  /** What the host is doing: `down` and `starting` keep the page as it stands, under a line that says so. */
  | { readonly type: "host"; readonly state: "starting" | "ready" | "down" }
  /** A sentence for the user that is not an event of the team, with what can be done about it, the likeliest first. */
  | { readonly type: "notice"; readonly message: string; readonly actions: readonly ErrorAction[] }
  /** Where the page may load an image of the workspace from, as asked for by `image`; null for one that is not there or lies elsewhere. */
  | { readonly type: "image"; readonly uri: string; readonly source: string | null }
  /** What an interrupt would do now to each call in flight, as asked for by `previewInterrupt`: a part of a sentence. */
  | { readonly type: "fates"; readonly teamId: string; readonly fates: Readonly<Record<string, string>> }
  /** Puts text into the composer and the focus on it. */
  | { readonly type: "compose"; readonly to?: string; readonly text?: string };

/** When a message to one participant of a team at work is given. */
export type Delivery = "now" | "steer" | "queue";

/** What the chat page asks of the extension. */
export type FromPage =
  /** The page has loaded and can take messages: nothing is posted to it before. */
  | { readonly type: "ready" }
  /** Starts a run, with the text as its task; an empty text goes on from the thread. */
  | { readonly type: "run"; readonly text: string }
  /** A message to one participant. */
  | {
      readonly type: "send";
      readonly to: string;
      readonly text: string;
      /** When a team at work gives it; now, by an interrupt, if left out. */
      readonly delivery?: Delivery;
      /** No other participant is shown it. */
      readonly onlyTarget?: true;
    }
  /** Stops the team, one participant's turn or one call; at once if `grace` is left out. */
  | { readonly type: "interrupt"; readonly grace?: Grace; readonly scope?: InterruptScope }
  /** Lets the user pick what to stop, and how. */
  | { readonly type: "interruptWith" }
  /** The user looks at what an interrupt would stop. */
  | { readonly type: "previewInterrupt" }
  /** Writes one waiting message anew, takes one back, or puts all of them into another order. */
  | {
      readonly type: "queue";
      readonly edit?: { readonly id: string; readonly text: string };
      readonly withdraw?: string;
      readonly order?: readonly string[];
    }
  /** What the user wants done with a message that was cut short. */
  | { readonly type: "editPartial"; readonly messageId: string }
  | { readonly type: "dropPartial"; readonly messageId: string }
  /** Makes another team of this one, as it is now. */
  | { readonly type: "fork" }
  /** Ends a run that a budget has paused: the next task begins anew. */
  | { readonly type: "stop" }
  /** A message shows this image file; its URI is the message's. */
  | { readonly type: "image"; readonly uri: string }
  /** Rulings on one pending call. The extension shows the modal dialog for an approval before it says yes. */
  | { readonly type: "approve"; readonly ref: string }
  | { readonly type: "deny"; readonly ref: string; readonly reason?: string }
  | { readonly type: "respond"; readonly ref: string; readonly output: string }
  /** Events before `before` (a seq), for scrolling back. */
  | { readonly type: "earlier"; readonly before: number }
  | { readonly type: "openFile"; readonly uri: string }
  /** Opens the team that a team file of the workspace defines: one of `teamFiles`. */
  | { readonly type: "openTeam"; readonly uri: string }
  | { readonly type: "openStored"; readonly teamId: string }
  | { readonly type: "openTeamPicker" }
  | { readonly type: "copy"; readonly text: string }
  /** A link of a message: the extension asks before it leaves the editor. */
  | { readonly type: "openLink"; readonly href: string }
  | { readonly type: "errorAction"; readonly command: ErrorActionCommand; readonly argument?: string };
