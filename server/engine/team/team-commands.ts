import type { CommandEnd } from "../../../shared/contract/background-command.ts";
import { LIMITS } from "../../../shared/limits.ts";
import { runningCommands } from "../../../shared/state/command-handlers.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import { shortCommand } from "../../../shared/text/command-text.ts";
import type { TeamTree } from "../run/team-tree.ts";

/** A command that a call starts in the background. */
export interface CommandToStart {
  readonly ref: string;
  readonly command: string;
  /** See `BackgroundCommand.outlivesHost`. */
  readonly outlivesHost: boolean;
}

/** Records the start of a background command; see `Team.startCommand`. */
export function startCommand({ ledger }: TeamTree, { ref, command, outlivesHost }: CommandToStart): string {
  const caller = callerOf(ledger.state, ref);
  if (caller === undefined) throw new Error("The command was not started, as its call has ended.");
  const running = runningCommands(ledger.state);
  if (running.length >= LIMITS.commands.running) {
    const names = running.map((one) => `${one.id} (${shortCommand(one.command, 60)})`).join(", ");
    throw new Error(
      `${running.length} commands of this team run in the background, the most that may: ${names}. ` +
        "Stop one with commandOutput and stop: true.",
    );
  }
  const id = `cmd_${ledger.nextSeq}`;
  const outlives = outlivesHost ? { outlivesHost } : {};
  ledger.record({ type: "command/started", id, ref, ...caller, command, ...outlives });
  return id;
}

/** Records the end of a background command; nothing for one that has ended. */
export function endCommand({ ledger }: TeamTree, id: string, end: CommandEnd): void {
  const running = runningCommands(ledger.state).find((one) => one.id === id);
  if (running !== undefined) ledger.record({ type: "command/ended", id, command: running.command, end });
}

/** Who made the call, if it is open. */
function callerOf(
  { calls, inner = {} }: TeamState,
  ref: string,
): { readonly participant: string; readonly through?: string[] } | undefined {
  const own = calls.find((call) => call.ref === ref);
  if (own !== undefined) return { participant: own.participant };
  for (const [name, team] of Object.entries(inner)) {
    const found = callerOf(team, ref);
    if (found !== undefined) return { participant: found.participant, through: [name, ...(found.through ?? [])] };
  }
  return undefined;
}
