/**
 * The content security policy of the chat page: only the page's own files are loaded, and only its own script and
 * the modules that it imports run.
 * @param source where the page's files are loaded from, as a policy writes it.
 * @param nonce the nonce of the page's script element.
 */
export function contentSecurityPolicy(source: string, nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${source}`,
    `font-src ${source}`,
    `img-src ${source} data:`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}
