import { createTeam } from "../../../server/engine/index.ts";
import { createModel } from "../../../server/models/index.ts";
import { textOf } from "../../../shared/message-text.ts";
import { benchTeam } from "./bench-team.ts";
import { type Contender, type ModelAt, QUESTION } from "./contender.ts";

/** Gavel's engine in this process: one team that lives through all turns, so that its growing thread is in the time. */
export async function start(at: ModelAt): Promise<Contender> {
  const team = createTeam({
    teamId: "bench",
    definition: benchTeam(at),
    parts: {
      model: (definition) => createModel(definition, { get: async () => null }),
      tool: () => undefined,
    },
  });
  let show: (delta: string) => void = () => {};
  team.onEvent((event) => {
    if (event.type === "message/chunk") show(event.delta);
  });
  return {
    async turn(onText, signal) {
      show = onText;
      const interrupt = (): void => void team.interrupt();
      signal.addEventListener("abort", interrupt);
      const { messages, status } = await team.run(QUESTION);
      signal.removeEventListener("abort", interrupt);
      if (status.code === "error") throw new Error(status.message);
      const last = messages.at(-1);
      return last?.source === "writer" ? textOf(last) : "";
    },
  };
}
