import type { Disposable } from "vscode";
import type { TeamEvent } from "../../shared/contract/event.ts";
import type { TeamState } from "../../shared/state/team-state.ts";
import type { TeamMirror } from "./team-mirror.ts";

type Listen<T> = (listener: (value: T) => unknown) => Disposable;

/** A team to show: an open one, or whichever is active. */
export interface TeamSource {
  readonly mirror: TeamMirror | undefined;
  readonly state: TeamState | undefined;
  /** The id of the user of this window. */
  readonly user: string;
  /** Fires when another team is shown, the same one from a new snapshot, or none. */
  readonly onShown: Listen<TeamMirror | undefined>;
  /** Fires with events of the team, in order, after they have been folded in. */
  readonly onEvents: Listen<readonly TeamEvent[]>;
  /** Calls `listener` when {@link state} may have changed: with new events, or when another team or none is shown. */
  readonly onStateChanged: (listener: () => unknown) => Disposable;
}
