import type { BackgroundCommand, CommandEnd } from "../../../shared/contract/background-command.ts";
import { invalidParams, messageOf } from "../../../shared/contract/errors.ts";
import { LIMITS } from "../../../shared/limits.ts";
import type { BackgroundCommands, BackgroundProcess, KnownCommand } from "../../tools/index.ts";
import type { HostLog } from "../log/host-log.ts";
import type { Session } from "../sessions/session.ts";

/** Who stops commands when the host exits, or their team is reset or deleted. */
const HOST = "host";

/** How long a request waits for new output. */
const LONGEST_WAIT_MS = 30_000;

/** A command whose process this host has started. */
interface Kept {
  readonly process: BackgroundProcess;
  /** Resolves when its end is recorded. */
  readonly recorded: Promise<void>;
  stoppedBy?: string;
}

interface TeamCommandsOptions {
  readonly session: (teamId: string) => Promise<Session>;
  readonly log: HostLog;
}

/** The background commands of this host's teams: their processes, whose starts and ends are events of the team. */
export class TeamCommands implements BackgroundCommands, Disposable {
  readonly #options: TeamCommandsOptions;
  readonly #teams = new Map<string, { readonly session: Session; readonly kept: Map<string, Kept> }>();

  constructor(options: TeamCommandsOptions) {
    this.#options = options;
  }

  async start(
    { teamId, ref }: Parameters<BackgroundCommands["start"]>[0],
    command: string,
    start: () => BackgroundProcess,
  ): Promise<{ readonly id: string; readonly process: BackgroundProcess }> {
    const session = await this.#options.session(teamId);
    const id = await session.startCommand({ ref, command, outlivesHost: process.platform === "win32" });
    try {
      const started = start();
      this.#keep(session, id, started);
      return { id, process: started };
    } catch (error) {
      await session.endCommand(id, { problem: messageOf(error) });
      throw error;
    }
  }

  async list(teamId: string): Promise<readonly KnownCommand[]> {
    const { commands = [] } = await (await this.#options.session(teamId)).current();
    return commands.map((command) => ({ command, process: this.#kept(teamId, command.id)?.process }));
  }

  async stop(teamId: string, id: string, by: string): Promise<BackgroundCommand> {
    const { command } = await this.#find("team/stopCommand", teamId, id);
    const kept = this.#kept(teamId, id);
    if (kept === undefined || command.end !== undefined) return command;
    this.#stop(kept, by);
    await kept.recorded;
    return (await this.#find("team/stopCommand", teamId, id)).command;
  }

  /** The answer to `team/commandOutput`. */
  async output(
    { teamId, id, after = 0, wait = false }: OutputParams,
    signal: AbortSignal,
  ): Promise<{ command: BackgroundCommand; text: string; next: number; isKept: boolean }> {
    const process = this.#kept(teamId, id)?.process;
    if (wait && process !== undefined)
      await process.changed(after, AbortSignal.any([signal, AbortSignal.timeout(LONGEST_WAIT_MS)]));
    const { command } = await this.#find("team/commandOutput", teamId, id);
    if (process === undefined) return { command, text: "", next: 0, isKept: false };
    return { command, text: process.output.text(after), next: process.output.length, isKept: true };
  }

  /** Ends the commands of a team that is reset or deleted. Resolves when their ends are recorded. */
  async endThoseOf(teamId: string): Promise<void> {
    const team = this.#teams.get(teamId);
    if (team === undefined) return;
    await Promise.all(
      [...team.kept].map(async ([id, kept]) => {
        this.#stop(kept, HOST);
        await kept.recorded;
        team.kept.delete(id);
      }),
    );
    if (team.kept.size === 0) this.#teams.delete(teamId);
  }

  /** Ends all commands, before the host exits. Resolves when their ends are recorded. */
  async endAll(): Promise<void> {
    await Promise.all([...this.#teams.keys()].map((teamId) => this.endThoseOf(teamId)));
  }

  /** Ends all commands immediately. */
  [Symbol.dispose](): void {
    for (const { session, kept } of this.#teams.values()) {
      for (const [id, { process }] of kept) {
        if (process.isOver) continue;
        process.stop();
        void session.endCommand(id, { stoppedBy: HOST }).catch(() => {});
      }
    }
    this.#teams.clear();
  }

  #stop(kept: Kept, by: string): void {
    if (!kept.process.isOver) kept.stoppedBy ??= by;
    kept.process.stop();
  }

  #keep(session: Session, id: string, process: BackgroundProcess): void {
    const { teamId } = session;
    const team = this.#teams.get(teamId) ?? { session, kept: new Map<string, Kept>() };
    this.#teams.set(teamId, team);
    const ended = process.ended.then(
      (exit): CommandEnd => ({ exit, ...(kept.stoppedBy === undefined ? {} : { stoppedBy: kept.stoppedBy }) }),
      (error: unknown): CommandEnd => ({ problem: messageOf(error) }),
    );
    const recorded = ended
      .then((end) => session.endCommand(id, end))
      .catch((error: unknown) => this.#options.log.warn(`The end of ${id} was not recorded: ${messageOf(error)}`));
    const kept: Kept = { process, recorded };
    team.kept.set(id, kept);
    void recorded.then(() => forgetOldest(team.kept));
  }

  #kept(teamId: string, id: string): Kept | undefined {
    return this.#teams.get(teamId)?.kept.get(id);
  }

  async #find(method: string, teamId: string, id: string): Promise<KnownCommand> {
    const all = await this.list(teamId);
    const found = all.find(({ command }) => command.id === id);
    if (found !== undefined) return found;
    const known = all.map(({ command }) => command.id);
    const message = `the team has no background command "${id}"; ${known.length === 0 ? "it has none" : `they are ${known.join(", ")}`}`;
    throw invalidParams(method, [{ path: "id", message }]);
  }
}

interface OutputParams {
  readonly teamId: string;
  readonly id: string;
  readonly after?: number | undefined;
  readonly wait?: boolean | undefined;
}

/** Keeps the outputs of as many commands that have ended as a team's state names. */
function forgetOldest(kept: Map<string, Kept>): void {
  const ended = [...kept].filter(([, { process }]) => process.isOver);
  for (const [id] of ended.slice(0, Math.max(0, ended.length - LIMITS.commands.ended))) kept.delete(id);
}
