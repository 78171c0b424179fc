import { spawn } from "node:child_process";
import { join } from "node:path";

/** A notification of the operating system. Its texts come from models and team files: they are shown as plain text. */
export interface SystemNotification {
  readonly title: string;
  readonly text: string;
}

/** A program with its arguments; nothing of it goes through a shell. */
interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** The longest text that is passed on, in characters. Systems show less. */
const LONGEST = 200;
/** A program that takes longer is ended, in milliseconds. */
const TIMEOUT = 10_000;

/**
 * Shows a notification by the platform's own program: VS Code has no API for it.
 *
 * @returns whether the program could be run and succeeded.
 */
export function showSystemNotification(
  { title, text }: SystemNotification,
  platform: NodeJS.Platform = process.platform,
): Promise<boolean> {
  const program = programFor(platform, oneLine(title), oneLine(text));
  if (program === undefined) return Promise.resolve(false);
  const { command, args, environment } = program;
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: "ignore",
      timeout: TIMEOUT,
      windowsHide: true,
      env: { ...process.env, ...environment },
    });
    child.once("error", () => resolve(false));
    child.once("exit", (code) => resolve(code === 0));
  });
}

function programFor(platform: NodeJS.Platform, title: string, text: string): Program | undefined {
  switch (platform) {
    case "linux":
      // The text may have markup there (Desktop Notifications Specification), so that is escaped.
      return { command: "notify-send", args: ["--app-name=Gavel", "--", title, escaped(text)] };
    case "darwin":
      return { command: "/usr/bin/osascript", args: [...APPLE_SCRIPT.flatMap((line) => ["-e", line]), title, text] };
    case "win32":
      return {
        command: join(process.env["SystemRoot"] ?? "C:\\Windows", "System32/WindowsPowerShell/v1.0/powershell.exe"),
        args: ["-NoProfile", "-NonInteractive", "-Command", POWERSHELL],
        environment: { GAVEL_TITLE: title, GAVEL_TEXT: text },
      };
    default:
      return undefined;
  }
}

const APPLE_SCRIPT = [
  "on run argv",
  "display notification (item 2 of argv) with title (item 1 of argv)",
  "end run",
] as const;

/** The texts are in the environment: a command line would have to be escaped. */
const POWERSHELL = [
  "$null = [Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime]",
  "$kind = [Windows.UI.Notifications.ToastTemplateType]::ToastText02",
  "$xml = [Windows.UI.Notifications.ToastNotificationManager]::GetTemplateContent($kind)",
  "$texts = $xml.GetElementsByTagName('text')",
  "$null = $texts.Item(0).AppendChild($xml.CreateTextNode($env:GAVEL_TITLE))",
  "$null = $texts.Item(1).AppendChild($xml.CreateTextNode($env:GAVEL_TEXT))",
  "$toast = [Windows.UI.Notifications.ToastNotification]::new($xml)",
  "$app = '{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\\WindowsPowerShell\\v1.0\\powershell.exe'",
  "[Windows.UI.Notifications.ToastNotificationManager]::CreateToastNotifier($app).Show($toast)",
].join("; ");

/** Without control characters, which a program or a screen may understand. */
const oneLine = (text: string): string => {
  const plain = text.replace(/[\p{C}\s]+/gu, " ").trim();
  return plain.length > LONGEST ? `${plain.slice(0, LONGEST - 1)}…` : plain;
};

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
