/** The parts of a setting's value that must not be logged: what signs in to a proxy. Empty for other settings. */
export function proxySecrets(section: string | undefined, value: unknown): readonly string[] {
  if (typeof value !== "string") return [];
  switch (section) {
    case "http.proxy":
      return secretsOfAddress(value);
    case "http.proxyAuthorization":
      return withoutShort([value, value.slice(value.indexOf(" ") + 1)]);
    default:
      return [];
  }
}

function secretsOfAddress(address: string): readonly string[] {
  const [, credentials] = /^(?:[a-z0-9+.-]+:\/\/)?(.*)@/i.exec(address) ?? [];
  if (credentials === undefined) return [];
  const [, password = ""] = /^[^:]*:(.*)$/.exec(credentials) ?? [];
  return withoutShort([credentials, password, decoded(password)]);
}

/** Replacing a text of one or two characters would make a log unreadable. */
const withoutShort = (texts: readonly string[]): readonly string[] => texts.filter(({ length }) => length > 2);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
