import type { ResultOf } from "../../shared/contract/message-type.ts";
import { AgentsCheck } from "../../shared/contract/setup.ts";
import type { Consents } from "../arguments/parse.ts";
import type { ClientAnswers } from "../host/client-answers.ts";
import type { HostClient } from "../host/host-client.ts";
import { shownLine } from "../text/shown-text.ts";
import type { Style } from "../text/style.ts";

type Checked = ResultOf<typeof AgentsCheck>["agents"][number];

/** Checks the agents of team files. No one is asked: what is not allowed on the command line is not checked. */
export class AgentChecks {
  readonly #style: Style;
  /** What would allow what was refused, by the name of the agent. */
  readonly #options = new Map<string, string>();
  readonly consent: Pick<ClientAnswers, "allowsEndpoint" | "allowsProgram">;

  constructor({ allowOrigins, allowPrograms }: Consents, style: Style) {
    this.#style = style;
    this.consent = {
      allowsEndpoint: async ({ origin, agent = "" }) => {
        this.#options.set(agent, `--allow-origin ${origin}`);
        return allowOrigins.includes(origin);
      },
      allowsProgram: async ({ name, digest }) => {
        this.#options.set(name, `--allow-program ${digest}`);
        return allowPrograms.includes(digest);
      },
    };
  }

  /** Prints a line for each agent of a team file. Returns how many cannot be used. */
  async check(host: HostClient, file: string, uri: string): Promise<number> {
    const { agents } = await host.request(AgentsCheck, { uri });
    for (const agent of agents) process.stdout.write(`${this.#line(file, agent)}\n`);
    return agents.filter(({ state }) => state === "wrong").length;
  }

  #line(file: string, { name, state, text }: Checked): string {
    const { red, yellow, green } = this.#style;
    const about = shownLine(`${file}: agent ${name}`);
    switch (state) {
      case "works":
        return `${green("✓")} ${about}: ${shownLine(text)}`;
      case "wrong":
        return `${about}: ${red("error")}: ${shownLine(text)}`;
      case "refused": {
        const option = this.#options.get(name.slice(name.lastIndexOf("/") + 1));
        const what = option === undefined ? text : `not checked, as nothing may be sent to it; allow it with ${option}`;
        return `${about}: ${yellow("note")}: ${shownLine(what)}`;
      }
      default:
        return state satisfies never;
    }
  }
}
