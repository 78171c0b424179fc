/** What is wrong with the address of an endpoint, as a sentence; undefined if nothing is. */
export function addressProblem(text: string): string | undefined {
  const url = URL.parse(text.trim());
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:"))
    return "Enter an address that starts with https:// or http://.";
  if (url.username !== "" || url.password !== "") return "Leave the key out of the address. It is asked for next.";
  if (url.search !== "" || url.hash !== "") return "Leave out what follows ? or # in the address.";
  if (/\/(?:chat\/completions|responses)\/?$/.test(url.pathname))
    return "Leave out the last part, /chat/completions or /responses.";
  return undefined;
}

/** The name under which the key of an endpoint is stored: its host. */
export const secretNameFor = (address: string): string => URL.parse(address.trim())?.host ?? "endpoint";

/** What is wrong with a key, as a sentence; undefined if nothing is. It goes into a header, in which spaces end it. */
export function keyProblem(text: string): string | undefined {
  const key = text.trim();
  if (key === "") return "Enter a key.";
  return /^[\x21-\x7e]+$/.test(key)
    ? undefined
    : "A key has no spaces and only plain letters, digits and signs. Copy the key alone.";
}
