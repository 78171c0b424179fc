import type {
  CreateTerminalRequest,
  CreateTerminalResponse,
  TerminalOutputRequest,
  TerminalOutputResponse,
  WaitForTerminalExitResponse,
} from "@agentclientprotocol/sdk/unstable";
import type { CommandRequest } from "./inbox.ts";
import { terminalCommand } from "./terminal/terminal-command.ts";
import { Terminals } from "./terminal/terminals.ts";

type Of = Pick<TerminalOutputRequest, "terminalId">;

/** What an agent asks about commands. What these throw is its answer. */
export interface TerminalHandlers {
  readonly create: (request: CreateTerminalRequest) => Promise<CreateTerminalResponse>;
  readonly output: (request: Of) => TerminalOutputResponse;
  readonly waitForExit: (request: Of) => Promise<WaitForTerminalExitResponse>;
  readonly kill: (request: Of) => void;
  readonly release: (request: Of) => void;
  /** The session is over. */
  readonly close: () => void;
}

/** The terminals of one agent; `run` resolves when a command starts, and rejects if it does not. `cwd` is the session's. */
export function terminalHandlers(
  cwd: string,
  run: (request: Pick<CommandRequest, "tool" | "input" | "terminal">) => Promise<unknown>,
): TerminalHandlers {
  const terminals = new Terminals();
  return {
    async create(request) {
      const command = terminalCommand(request, process.platform === "win32");
      const terminal = terminals.create(request.outputByteLimit);
      try {
        await run({ tool: "runCommand", input: { command, cwd: request.cwd ?? cwd }, terminal });
      } catch (error) {
        terminals.release(terminal.id);
        throw error;
      }
      return { terminalId: terminal.id };
    },
    output({ terminalId }) {
      const terminal = terminals.get(terminalId);
      const { exit } = terminal;
      return { ...terminal.read(), ...(exit === undefined ? {} : { exitStatus: exit }) };
    },
    waitForExit: ({ terminalId }) => terminals.get(terminalId).exited,
    kill: ({ terminalId }) => terminals.get(terminalId).kill(),
    release: ({ terminalId }) => terminals.release(terminalId),
    close: () => terminals.close(),
  };
}
