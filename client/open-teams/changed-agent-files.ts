import type { Disposable } from "vscode";
import { Uri, workspace } from "vscode";
import { TeamIsOutdated } from "../../shared/contract/requests.ts";
import { threadName } from "../../shared/text/thread-name.ts";
import { notify } from "../dialogs/notify.ts";
import { Disposables } from "../disposables.ts";
import type { HostProcess } from "../host/host-process.ts";
import type { TeamSession } from "../session/team-session.ts";
import type { OpenTeams } from "./open-teams.ts";
import type { TeamOpener } from "./team-opener.ts";

/** The files that team files name agents, instructions and skills by. */
const FILES = "**/{*.md,*.mdc,*.txt,.roomodes}";

const RELOAD = "Reload Team";

/** Says when a file that an open team was made of has changed, and offers to open the team again. */
export class ChangedAgentFiles implements Disposable {
  readonly #teams: OpenTeams;
  readonly #host: HostProcess;
  readonly #opener: TeamOpener;
  readonly #failed: (error: unknown) => void;
  readonly #own = new Disposables();
  /** Those that are being looked at, or that the user has been told of. */
  readonly #told = new Set<TeamSession>();
  /** Of those, the ones whose files have changed since. */
  readonly #again = new Set<TeamSession>();

  /** @param failed told why a team could not be opened again. */
  constructor(teams: OpenTeams, host: HostProcess, opener: TeamOpener, failed: (error: unknown) => void) {
    this.#teams = teams;
    this.#host = host;
    this.#opener = opener;
    this.#failed = failed;
    const watcher = this.#own.add(workspace.createFileSystemWatcher(FILES));
    const changed = (): void => this.#changed();
    this.#own.add(watcher.onDidCreate(changed));
    this.#own.add(watcher.onDidChange(changed));
    this.#own.add(watcher.onDidDelete(changed));
  }

  dispose(): void {
    this.#own.dispose();
  }

  #changed(): void {
    for (const session of this.#teams.all) {
      if (session.state?.uri === undefined) continue;
      if (this.#told.has(session)) this.#again.add(session);
      else this.#look(session);
    }
  }

  /** Looks at a team until nothing has changed meanwhile. */
  #look(session: TeamSession): void {
    this.#told.add(session);
    this.#tell(session)
      .catch(this.#failed)
      .finally(() => {
        this.#told.delete(session);
        if (this.#again.delete(session)) this.#look(session);
      });
  }

  async #tell(session: TeamSession): Promise<void> {
    const { state } = session;
    if (state?.uri === undefined) return;
    const { teamId, uri } = state;
    const { isOutdated } = await this.#host.request(TeamIsOutdated, { teamId });
    if (!isOutdated) return;
    const message = `Files of "${threadName(state)}" have changed. Reload the team to use them; its thread stays.`;
    const choice = await notify("info", message, RELOAD);
    // What has changed until now is read by the reload, or is nothing that the user wants.
    this.#again.delete(session);
    if (choice === RELOAD) await this.#opener.openFile(Uri.parse(uri, true), teamId);
  }
}
