import type { ResultOf } from "../../../shared/contract/message-type.ts";
import type { ModelsCheck } from "../../../shared/contract/setup.ts";
import { countText } from "../../../shared/text/count-text.ts";
import { listText } from "../../../shared/text/list-text.ts";
import type { EmptyServerHint } from "../../models/empty-server.ts";
import type { LocalServer } from "../../models/local-models.ts";

type Checked = ResultOf<typeof ModelsCheck>["models"][number];

/** What the user can do about a model. */
export type ModelFix =
  | { readonly kind: "setApiKey"; readonly secret: string | undefined }
  | { readonly kind: "selectModel" }
  | { readonly kind: "editTeamFile" }
  | { readonly kind: "proxySettings" }
  | { readonly kind: "terminal"; readonly command: string };

export interface ModelFinding {
  readonly what: string;
  readonly text: string;
  readonly fix?: ModelFix;
}

/** What a check of models depends on besides the models. */
export interface ModelSurroundings {
  /** Whether the team comes from a file. */
  readonly hasFile: boolean;
  /** Whether there is a default model. */
  readonly hasDefault: boolean;
  /** The servers of models that run on this computer, and a hint for each that has no model. */
  readonly servers: readonly (LocalServer & { readonly hint?: EmptyServerHint | undefined })[];
}

const DEFAULT = "Default model";

/** What was found out about one model, and what to do. */
export function modelFinding({ key, label, failure }: Checked, around: ModelSurroundings): ModelFinding {
  const what = key === undefined ? DEFAULT : `Model ${key}: ${label}`;
  if (failure === undefined) return { what, text: "The model answers." };
  if (key === undefined && !around.hasDefault) return noDefaultModel(around);
  return { what, text: causeIn(failure.message), fix: fixFor(failure.data, key !== undefined && around.hasFile) };
}

/** What is wrong, without what to do, which the fix says: a row has one line. */
function causeIn(message: string): string {
  const end = message.lastIndexOf("; ");
  return end < 0 ? message : `${message.slice(0, end)}.`;
}

/** That there is no default model, and the likeliest way to one. */
export function noDefaultModel({ servers }: Pick<ModelSurroundings, "servers">): Required<ModelFinding> {
  return { what: DEFAULT, ...noModel(servers) };
}

function noModel(servers: ModelSurroundings["servers"]): Required<Pick<ModelFinding, "text" | "fix">> {
  const offers = servers.filter(({ models }) => models.length > 0);
  if (offers.length > 0) {
    const found = listText(offers.map(({ server, models }) => `${countText(models.length, "model")} of ${server}`));
    return { text: `No model is selected. This computer has ${found}.`, fix: { kind: "selectModel" } };
  }
  const hint = servers.find((server) => server.hint !== undefined)?.hint;
  if (hint !== undefined) {
    const { text, command } = hint;
    return {
      text: `No model is selected. ${text}`,
      fix: command === undefined ? { kind: "selectModel" } : { kind: "terminal", command },
    };
  }
  return {
    text: "No model is selected. Use Copilot, Ollama or LM Studio, or connect an endpoint.",
    fix: { kind: "selectModel" },
  };
}

function fixFor(data: Readonly<Record<string, unknown>>, inFile: boolean): ModelFix {
  switch (data["fix"]) {
    case "apiKey":
      return { kind: "setApiKey", secret: typeof data["secret"] === "string" ? data["secret"] : undefined };
    case "network":
      return { kind: "proxySettings" };
    default:
      // A quota that is used up, a model that does not exist, an endpoint that is down: another model or endpoint.
      return inFile ? { kind: "editTeamFile" } : { kind: "selectModel" };
  }
}
