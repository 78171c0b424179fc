import { isRecord } from "../../shared/json-record.ts";
import type { Tool } from "../engine/index.ts";
import type { LivePrompt } from "./live-prompt.ts";

/** The tool that runs commands, for those that the agent of this prompt has us run: it may then use them as a terminal. */
export const terminalTool = (tool: Tool, name: string, current: () => LivePrompt | undefined): Tool => ({
  ...tool,
  run(input, context) {
    const live = current();
    const request = live?.commands.get(context.ref);
    if (live === undefined || request === undefined || !isRecord(input))
      throw new Error(
        `${name} does not wait for this command any more, as it was started again; it is told that you allowed it, and may ask again.`,
      );
    const { terminal } = request;
    const line = String(input["command"]);
    if (line !== request.input.command && terminal.exit === undefined)
      live.followUps.push(`The user changed the command "${request.input.command}"; this was run instead:\n${line}`);
    const done = terminal.run(tool, input, context);
    request.resolve(undefined);
    const change = { ref: context.ref, what: line };
    live.lastChange = change;
    void terminal.exited.then(() => live.inbox.push({ kind: "changed", ...change }));
    // It asks for something else already, which the turn has to take first.
    if (!live.isAttached && live.inbox.hasRequest) live.leaveCalls();
    return done;
  },
});
