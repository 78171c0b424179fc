import { readdir, readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import type { z } from "zod";
import { TeamEventNotification } from "../../shared/contract/client-requests.ts";
import type { TeamEvent } from "../../shared/contract/event.ts";
import type { RequestMessage } from "../../shared/contract/message-type.ts";
import type { User } from "../../shared/contract/people.ts";
import { type PresentClient, TeamPresence, TeamWriting } from "../../shared/contract/presence.ts";
import { TeamList, TeamOpen } from "../../shared/contract/requests.ts";
import { placesFolder, StorePlace } from "../../shared/store-place.ts";
import { joinHost } from "../../socket/join-host.ts";
import type { Editor } from "./harness/editor.ts";
import { until } from "./harness/until.ts";

/** Where a window keeps its teams, as other programs of the user find it. */
export async function storageOf(editor: Editor): Promise<string> {
  const folder = await realpath(editor.workspace);
  const places = placesFolder({ platform: process.platform, home: "", variables: { XDG_DATA_HOME: editor.userData } });
  return until("the window has said where its teams are stored", async () => {
    for (const name of await readdir(places)) {
      if (!name.endsWith(".json")) continue;
      const place = StorePlace.parse(JSON.parse(await readFile(join(places, name), "utf8")));
      if (place.folder === folder) return place.storagePath;
    }
    return undefined;
  });
}

/** A client that joins the host of an editor, as a terminal does, and is told what happens in the teams that it opens. */
export class JoinedClient implements Disposable {
  readonly #told: TeamEvent[] = [];
  readonly #present = new Map<string, readonly PresentClient[]>();
  readonly #connection: MessageConnection;

  private constructor(connection: MessageConnection) {
    this.#connection = connection;
    connection.onNotification(TeamEventNotification.method, (params: unknown) => {
      this.#told.push(TeamEventNotification.params.parse(params).event);
    });
    connection.onNotification(TeamPresence.method, (params: unknown) => {
      const { teamId, clients } = TeamPresence.params.parse(params);
      this.#present.set(teamId, clients);
    });
    connection.onUnhandledNotification(() => undefined);
    connection.listen();
  }

  /**
   * @param user whose client it is; as for a window and a terminal if left out.
   * @param folder where its teams work.
   */
  static async join(storagePath: string, user?: User, folder?: string): Promise<JoinedClient> {
    const uri = folder === undefined ? undefined : pathToFileURL(folder).href;
    const joined = await until("a host runs", () => joinHost(storagePath));
    const reader = new StreamMessageReader(joined.stream);
    const connection = createMessageConnection(reader, new StreamMessageWriter(joined.stream));
    const client = new JoinedClient(connection);
    await connection.sendRequest("initialize", {
      processId: null,
      capabilities: { workspace: { workspaceFolders: true } },
      ...(uri === undefined ? {} : { workspaceFolders: [{ uri, name: "work" }] }),
      initializationOptions: { storagePath, ...(user === undefined ? {} : { user }) },
    });
    await connection.sendNotification("initialized", {});
    return client;
  }

  /** The refs of the calls that have waited for a decision. */
  get interruptedCalls(): readonly string[] {
    return this.#told.flatMap((event) => (event.type === "tool/interrupted" ? [event.ref] : []));
  }

  /** Opens the only team of the host. @returns its id */
  async openTeam(): Promise<string> {
    const teamId = (await this.send(TeamList, {})).teams[0]?.teamId ?? "";
    await this.send(TeamOpen, { teamId });
    return teamId;
  }

  /** Tells the others whether its user writes a message to the team. */
  async setWriting(teamId: string, isWriting: boolean): Promise<void> {
    await this.#connection.sendNotification(TeamWriting.method, { teamId, isWriting });
  }

  /** Who else has the team open, as it was told last. */
  presentIn(teamId: string): readonly PresentClient[] {
    return this.#present.get(teamId) ?? [];
  }

  async send<P extends z.ZodType, R extends z.ZodType>(
    message: RequestMessage<P, R>,
    params: z.input<P>,
  ): Promise<z.output<R>> {
    return message.result.parse(await this.#connection.sendRequest(message.method, params));
  }

  [Symbol.dispose](): void {
    this.#connection.end();
    this.#connection.dispose();
  }
}
