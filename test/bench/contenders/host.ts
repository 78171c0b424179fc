import { textOf } from "../../../shared/message-text.ts";
import { HostClient } from "../host-client.ts";
import { benchTeam } from "./bench-team.ts";
import { type Contender, type ModelAt, QUESTION } from "./contender.ts";

/** Gavel as a client has it: the built host in its own process, its store on disk, every event over the wire. */
export async function start(at: ModelAt): Promise<Contender> {
  const client = await HostClient.start();
  await client.open("bench", benchTeam(at));
  let show: (delta: string) => void = () => {};
  client.onEvent((_, event) => {
    if (event.type === "message/chunk") show(event.delta);
  });
  return {
    async turn(onText, signal) {
      show = onText;
      const interrupt = (): void => void client.interrupt("bench");
      signal.addEventListener("abort", interrupt);
      const { messages, status } = await client.run("bench", QUESTION);
      signal.removeEventListener("abort", interrupt);
      if (status.code === "error") throw new Error(status.message);
      const last = messages.at(-1);
      return last?.source === "writer" ? textOf(last) : "";
    },
    dispose: () => client.stop(),
  };
}
