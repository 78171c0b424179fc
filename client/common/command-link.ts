/** The address of a link in Markdown that runs a command. Whatever is in its argument, it does not end the address. */
export function commandLink(command: string, argument: unknown): string {
  const query = encodeURIComponent(JSON.stringify([argument]));
  return `command:${command}?${query.replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16)}`)}`;
}
