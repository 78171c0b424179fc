import type { BackgroundCommand } from "../contract/background-command.ts";
import { LIMITS } from "../limits.ts";
import type { Handlers } from "./handlers.ts";
import type { TeamState } from "./team-state.ts";

/** Commands that run in the background. */
export const commandHandlers: Handlers<"command/started" | "command/ended"> = {
  "command/started": (state, { type: _, seq: _seq, at: _at, runId: _runId, path: _path, ...command }) =>
    withCommands(state, [...(state.commands ?? []), command]),

  "command/ended": (state, { id, end }) => {
    const commands = state.commands ?? [];
    const ending = commands.find((command) => command.id === id && command.end === undefined);
    if (ending === undefined) return state;
    // Those that have ended are in the order of their ends, before those that run.
    const others = commands.filter((command) => command !== ending);
    const ended = [...others.filter((command) => command.end !== undefined), { ...ending, end }];
    return withCommands(state, [
      ...ended.slice(-LIMITS.commands.ended),
      ...others.filter((command) => command.end === undefined),
    ]);
  },
};

/** The commands that run. */
export const runningCommands = ({ commands = [] }: Pick<TeamState, "commands">): readonly BackgroundCommand[] =>
  commands.filter(({ end }) => end === undefined);

/** After a reset: without those that have ended. */
export function withoutEndedCommands(state: TeamState): TeamState {
  const { commands: _, ...others } = state;
  const running = runningCommands(state);
  return running.length === 0 ? others : { ...others, commands: [...running] };
}

const withCommands = (state: TeamState, commands: BackgroundCommand[]): TeamState => ({ ...state, commands });
