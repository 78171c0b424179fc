import type { Uri } from "vscode";
import { workspace } from "vscode";
import type { WrittenLines } from "../../shared/contract/edits.ts";
import { type DurableEvent, isDurable, type TeamEvent } from "../../shared/contract/event.ts";
import { EditsFile } from "../../shared/contract/requests.ts";
import { eventsAfter } from "../../shared/state/missing-events.ts";
import { decisionText } from "../common/decision-text.ts";
import { nameInSentence } from "../common/participants/participants.ts";
import { rosterOf } from "../common/participants/team-roster.ts";
import type { HostProcess } from "../host/host-process.ts";
import type { TeamSource } from "../session/team-source.ts";
import { writtenAt } from "./author-blocks.ts";
import { type CallOrigin, callOrigin } from "./call-origin.ts";
import type { ShownChanges } from "./shown-changes.ts";

/** Who wrote a line of a file, in which call. */
export interface LineAuthor {
  readonly teamId: string;
  readonly written: WrittenLines;
  /** The call's tool; undefined when the thread no longer has the call. */
  readonly tool: string | undefined;
  /** Who let the call run, as a sentence. */
  readonly approval: string | undefined;
}

/** How many earlier events are looked through for a call at most, and how many at once. */
const EARLIER = 20_000;
const AT_ONCE = 2000;

/** Looks up which participants of the shown team wrote the lines of files, as the files are now. */
export class LineAuthors {
  readonly #host: HostProcess;
  readonly #source: TeamSource;
  readonly #changes: ShownChanges;

  constructor(host: HostProcess, source: TeamSource, changes: ShownChanges) {
    this.#host = host;
    this.#source = source;
    this.#changes = changes;
  }

  /** The lines that the team wrote, in order; none for a file that it did not edit, and without a host. */
  async in(uri: Uri): Promise<readonly WrittenLines[]> {
    const teamId = this.#source.state?.teamId;
    const path = this.#pathOf(uri);
    if (teamId === undefined || path === undefined || this.#host.state !== "ready") return [];
    const found = await this.#host.request(EditsFile, { teamId, path }).catch(() => undefined);
    return found !== undefined && this.#source.state?.teamId === teamId ? found.written : [];
  }

  /** Who wrote the line; undefined when the team did not. */
  async at(uri: Uri, line: number): Promise<LineAuthor | undefined> {
    const written = writtenAt(await this.in(uri), line);
    const { state } = this.#source;
    if (written === undefined || state === undefined) return undefined;
    const { teamId } = state;
    const origin = written.ref === undefined ? undefined : await this.#originOf(teamId, written.ref);
    const roster = rosterOf(state, this.#source.user);
    const who = (by: string): string => nameInSentence(by, roster);
    return { teamId, written, tool: origin?.name, approval: origin && approvalOf(origin, who) };
  }

  /** The team names files relative to the first folder, and those of other folders with the folder's name. */
  #pathOf(uri: Uri): string | undefined {
    if (uri.scheme !== "file") return undefined;
    const folder = workspace.getWorkspaceFolder(uri);
    const kept = folder && workspace.asRelativePath(uri, folder.index > 0);
    return this.#changes.find(uri)?.path ?? kept;
  }

  /** From the last events, and from earlier ones if it must be. */
  async #originOf(teamId: string, ref: string): Promise<CallOrigin | undefined> {
    let events: readonly DurableEvent[] = this.#source.mirror?.tail ?? [];
    for (let looked = 0; looked < EARLIER; looked += AT_ONCE) {
      const origin = callOrigin(events, ref);
      const first = events[0]?.seq ?? 1;
      if (origin !== undefined || first <= 1) return origin;
      const after = Math.max(0, first - 1 - AT_ONCE);
      const earlier = await eventsAfter(this.#host, teamId, after, first - 1 - after).catch(
        (): readonly TeamEvent[] => [],
      );
      if (earlier.length === 0) return undefined;
      events = [...earlier.filter(isDurable), ...events];
    }
    return undefined;
  }
}

const approvalOf = (origin: CallOrigin, who: (by: string) => string): string =>
  decisionText(origin, who) ?? "It needed no approval";
