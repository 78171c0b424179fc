import type { Connection, InitializeParams } from "vscode-languageserver/node";
import { ClientSetting, ClientSettings } from "./client-settings.ts";
import { CommandSettingsOfClient } from "./command-settings.ts";
import { defaultModelSetting } from "./default-model.ts";
import { fileListSetting } from "./file-lists.ts";
import { NetworkSettingsOfClient } from "./network-settings.ts";
import { localHostsSetting } from "./web-access.ts";

/** The settings of the user that this host reads. Their values are the client's once {@link UserSettings.ready} resolves. */
export class UserSettings {
  readonly defaultModel = defaultModelSetting();
  readonly mcpServers = new ClientSetting<unknown>("gavel.mcp.servers", (value) => ({ value }));
  readonly commands = new CommandSettingsOfClient();
  readonly network = new NetworkSettingsOfClient();
  readonly protectedFiles = fileListSetting("gavel.protectedFiles");
  readonly secretFiles = fileListSetting("gavel.secretFiles");
  readonly localHosts = localHostsSetting();
  readonly #client: ClientSettings;

  /** `changed` is called when one of them has another value. */
  constructor(connection: Connection, { workspace }: InitializeParams["capabilities"], changed: () => void) {
    this.#client = new ClientSettings(
      connection,
      {
        canRequest: workspace?.configuration === true,
        canRegister: workspace?.didChangeConfiguration?.dynamicRegistration === true,
      },
      [
        this.defaultModel,
        this.mcpServers,
        ...this.commands.settings,
        ...this.network.settings,
        this.protectedFiles,
        this.secretFiles,
        this.localHosts,
      ],
      changed,
    );
  }

  /** Resolves when the values are known, or after a timeout. Never rejects. */
  async ready(): Promise<void> {
    await this.#client.ready();
  }

  /** Has the client tell of changes. */
  async subscribe(): Promise<void> {
    await this.#client.subscribe();
  }

  /** Files that the user has added to those that are protected, and to those that may hold secrets. */
  get addedFiles(): { readonly protectedFiles: readonly string[]; readonly secretFiles: readonly string[] } {
    return { protectedFiles: this.protectedFiles.value, secretFiles: this.secretFiles.value };
  }
}
