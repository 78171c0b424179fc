import { homedir, release, userInfo } from "node:os";
import { type ExtensionContext, env, UIKind, version, workspace } from "vscode";
import { countText } from "../../shared/text/count-text.ts";
import { commandIds } from "../contributions.ts";
import type { HostProcess } from "../host/host-process.ts";
import type { OpenTeams } from "../open-teams/open-teams.ts";
import type { RecentLines } from "./recent-lines.ts";
import { redactedText } from "./redacted-text.ts";
import { type ReportedSetting, reportText } from "./report-text.ts";

/** What package.json has that a report needs. */
interface Manifest {
  readonly version: string;
  readonly bugs?: { readonly url?: string };
  readonly contributes: {
    readonly configuration: { readonly properties: Readonly<Record<string, ReportedSetting["schema"]>> };
  };
}

/** Writes reports of problems: what the extension knows, without what may be private. */
export class ProblemReports {
  readonly #manifest: Manifest;
  readonly #host: HostProcess;
  readonly #teams: OpenTeams;
  readonly #recent: RecentLines;

  constructor({ extension }: ExtensionContext, host: HostProcess, teams: OpenTeams, recent: RecentLines) {
    this.#manifest = extension.packageJSON;
    this.#host = host;
    this.#teams = teams;
    this.#recent = recent;
  }

  /** Where problems are reported; undefined if there is no such page. */
  get page(): string | undefined {
    return this.#manifest.bugs?.url;
  }

  /** A report as Markdown. @param thread the active team's thread, where the user wants it to be in the report. */
  text(thread: string | undefined): string {
    const folders = (workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
    const known = { home: homedir(), folders, user: userInfo().username, own: commandIds };
    return reportText({
      facts: this.#facts(folders.length),
      settings: this.#settings(),
      teams: this.#teams.all.flatMap(({ mirror }) =>
        mirror === undefined ? [] : [{ state: mirror.state, tail: mirror.tail }],
      ),
      log: this.#recent.all.map((line) => redactedText(line, known)),
      thread,
    });
  }

  #facts(folders: number): readonly (readonly [string, string])[] {
    return [
      ["Gavel", this.#manifest.version],
      ["VS Code", `${version}, ${env.uiKind === UIKind.Web ? "in a browser" : "on the desktop"}`],
      ["System", `${process.platform} ${release()}, ${process.arch}, Node ${process.versions.node}`],
      ["Remote", remoteText(env.remoteName)],
      ["Workspace", `${countText(folders, "folder")}, ${workspace.isTrusted ? "trusted" : "Restricted Mode"}`],
      ["Agent host", `${this.#host.state}, storage: ${this.#host.storage.state}`],
    ];
  }

  /** The settings that the user has changed. */
  #settings(): readonly ReportedSetting[] {
    const all = workspace.getConfiguration();
    return Object.entries(this.#manifest.contributes.configuration.properties).flatMap(([name, schema]) => {
      const { globalValue, workspaceValue, workspaceFolderValue } = all.inspect(name) ?? {};
      const value = workspaceFolderValue ?? workspaceValue ?? globalValue;
      return value === undefined ? [] : [{ name, value, schema }];
    });
  }
}

/** The kind of the remote, such as `ssh-remote`. For a server in a browser VS Code gives its address instead. */
function remoteText(name: string | undefined): string {
  if (name === undefined) return "no";
  return /^[a-z-]+$/.test(name) ? name : "a server";
}
