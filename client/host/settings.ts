import { lm } from "vscode";
import type { Middleware } from "vscode-languageclient/node";
import { proxySecrets } from "./proxy-secrets.ts";

const MODEL = "gavel.model";

/**
 * How the host gets settings. Without a `gavel.model` of the user's own, the model of participants that name none is one of
 * VS Code's language models, if there is one: then nothing has to be set up. What signs in to a proxy is added to `secrets`,
 * so that no log shows it.
 */
export function settingsMiddleware(secrets: Set<string>): NonNullable<Middleware["workspace"]> {
  return {
    configuration: async (params, token, next) => {
      const values = await next(params, token);
      if (!Array.isArray(values)) return values;
      for (const [at, { section }] of params.items.entries()) {
        for (const secret of proxySecrets(section, values[at])) secrets.add(secret);
      }
      const offered = params.items.some(({ section }) => section === MODEL) ? await lm.selectChatModels() : [];
      return values.map((value: unknown, at) =>
        params.items[at]?.section === MODEL && value === null && offered.length > 0 ? { provider: "vscode" } : value,
      );
    },
    // The host asks for the settings that it needs; the values of whole sections, which hold secrets, are not sent.
    didChangeConfiguration: (_, next) => next(undefined),
  };
}
