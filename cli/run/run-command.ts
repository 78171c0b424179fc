import { addAbortSignal } from "node:stream";
import { text } from "node:stream/consumers";
import { GavelError } from "../../shared/contract/errors.ts";
import { modelIn } from "../arguments/model-option.ts";
import { originOf } from "../arguments/origin.ts";
import type { RunOptions } from "../arguments/parse.ts";
import { UsageError } from "../arguments/usage-error.ts";
import { CurrentHost } from "../host/current-host.ts";
import { existingFolder, findStore } from "../stores/find-store.ts";
import { startTelemetry } from "../telemetry/start-telemetry.ts";
import { EndedBy, type Ending } from "../terminal/ending.ts";
import { type Style, styleFor } from "../text/style.ts";
import { JsonView } from "../view/json-view.ts";
import { LiveView } from "../view/live-view.ts";
import { PlainView } from "../view/plain-view.ts";
import type { View } from "../view/view.ts";
import { Conversation } from "./conversation.ts";
import { EndpointConsent } from "./endpoint-consent.ts";
import { ExitCode } from "./exit-codes.ts";
import { checkRules, openThread, prepareThread } from "./open-thread.ts";
import { mayStart } from "./program-consent.ts";
import { Thread } from "./thread.ts";

/** `gavel run`: runs a team until it has finished, or waits for somebody who is not there. Returns the exit code. */
export async function runCommand(options: RunOptions, ending: Ending): Promise<number> {
  const folder = existingFolder(options.folder);
  const store = findStore(folder, { own: options.ownStore });
  const origins = options.allowOrigins.map(originOf);
  const model = settingModel(options.model);
  checkRules(options);
  const task = options.task === "-" ? (await text(addAbortSignal(ending.signal, process.stdin))).trim() : options.task;
  if (task === "") throw new UsageError("The standard input has no task.");
  await using telemetry = await startTelemetry(options);
  const style = styleFor(process.stdout, { noColor: options.noColor, variables: process.env });
  using view = viewFor(options, style, ending);
  // A question that is open has no answer then.
  ending.signal.addEventListener("abort", () => view[Symbol.dispose]());
  const consent = new EndpointConsent(origins, view);
  await using host = await CurrentHost.start({
    share: true,
    remote: options.remote,
    store,
    folder,
    answers: {
      key: (secret, asked) => consent.key(secret, asked),
      allowsEndpoint: (asked) => consent.allows(asked),
      allowsProgram: (question) => mayStart(question, options.allowPrograms, view),
      setting: (section) => (section === "gavel.model" ? model : null),
      tell: (kind, message) => view.tell(kind, message),
    },
  });
  view.user = host.client.user;
  const snapshot = await openThread(host.client, options);
  using thread = new Thread(host.client, snapshot, {
    event: (event, state, isElsewhere) => {
      view.show(event, state, isElsewhere);
      telemetry?.add(event, state);
    },
    reopened: (state) => view.opened(state),
  });
  view.opened(thread.state);
  await prepareThread(thread, options);
  const conversation = new Conversation({ thread, view, style, ending, nextHost: () => host.replace() });
  try {
    const code = await conversation.run(task);
    if (!options.json && code !== ExitCode.finished)
      sayHowToGoOn(view, thread.teamId, code, conversation.isLeftRunning);
    return code;
  } catch (error) {
    if (!(error instanceof GavelError)) throw error;
    if (ending.code !== undefined) return ending.code;
    const isBusy = error.data.code === "TeamBusy";
    view.tell("error", isBusy ? BUSY : error.message);
    return isBusy ? ExitCode.busy : ExitCode.failed;
  }
}

const BUSY = "The thread is running in VS Code or in another Gavel; interrupt it there, or wait until it has finished.";

function sayHowToGoOn(view: View, teamId: string, code: number, runs: boolean): void {
  if (code === ExitCode.failed || code === EndedBy.brokenPipe || code === EndedBy.hangUp) return;
  view[Symbol.dispose]();
  const what = runs ? "The run goes on. Go back to it with" : "Everything is kept. Go on with";
  process.stderr.write(`${what}: gavel run --thread ${teamId}\n`);
}

function viewFor({ json }: RunOptions, style: Style, ending: Ending): View {
  if (json) return new JsonView();
  const { stdin: input, stdout: output } = process;
  if (!input.isTTY || !output.isTTY || process.env["TERM"] === "dumb") return new PlainView(style);
  const closed = (): void => ending.request(EndedBy.hangUp);
  return new LiveView({ input, output, style, closed, interrupted: () => ending.request(EndedBy.interrupt) });
}

/** The model of participants without one; one of the team file's is set when the thread is open. */
const settingModel = (model: string | undefined): unknown => {
  const given = model ?? process.env["GAVEL_MODEL"];
  return given === undefined || given === "" ? null : (modelIn(given) ?? null);
};
