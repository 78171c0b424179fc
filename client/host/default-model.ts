import { lm } from "vscode";
import type { ConfigurationMiddleware } from "vscode-languageclient/node";

const SECTION = "gavel.model";

/**
 * The settings for the host. Without a `gavel.model` of the user's own, the model of participants that name none is one of
 * VS Code's language models, if there is one: then nothing has to be set up.
 */
export const withDefaultModel: NonNullable<ConfigurationMiddleware["configuration"]> = async (params, token, next) => {
  const values = await next(params, token);
  if (!Array.isArray(values)) return values;
  const offered = params.items.some(({ section }) => section === SECTION) ? await lm.selectChatModels() : [];
  return values.map((value: unknown, at) =>
    params.items[at]?.section === SECTION && value === null && offered.length > 0 ? { provider: "vscode" } : value,
  );
};
