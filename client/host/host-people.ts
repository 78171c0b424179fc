import type { Disposable, Event } from "vscode";
import { EventEmitter } from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import * as z from "zod";
import type { ParamsOf } from "../../shared/contract/message-type.ts";
import { User } from "../../shared/contract/people.ts";
import { TeamPresence, TeamWriting } from "../../shared/contract/presence.ts";

/** Where the answer to `initialize` names the user of this client. */
const Answer = z.object({ capabilities: z.object({ experimental: z.object({ gavel: z.object({ user: User }) }) }) });

/** Who uses a host, as one connection to it tells. */
export class HostPeople implements Disposable {
  readonly #client: LanguageClient;
  readonly #presence = new EventEmitter<ParamsOf<typeof TeamPresence>>();
  /** Fires with the clients that have a team open, when one comes, goes, or begins or ends writing. */
  readonly onPresence: Event<ParamsOf<typeof TeamPresence>> = this.#presence.event;

  constructor(client: LanguageClient) {
    this.#client = client;
    client.onNotification(TeamPresence.method, (params: unknown) => {
      const parsed = TeamPresence.params.safeParse(params);
      if (parsed.success) this.#presence.fire(parsed.data);
    });
  }

  /** The user of this window, as the host calls them; undefined for a host that does not say, and before it has answered. */
  get user(): User | undefined {
    const parsed = Answer.safeParse(this.#client.initializeResult);
    return parsed.success ? parsed.data.capabilities.experimental.gavel.user : undefined;
  }

  /** Tells the others whether the user is writing a message to the team. */
  setWriting(teamId: string, isWriting: boolean): void {
    if (this.#client.isRunning()) void this.#client.sendNotification(TeamWriting.method, { teamId, isWriting });
  }

  dispose(): void {
    this.#presence.dispose();
  }
}
