/** The first line of a block has the author's initials, as the chat's avatars; a bar follows along the others. */
export type AuthorIconKind = "initials" | "bar";

export type Shade = "light" | "dark";

/** The colours of the chat's accents (`participant-colors.css`) in VS Code's own themes: an image cannot use a theme's. */
const COLORS: Readonly<Record<Shade, readonly string[]>> = {
  light: ["#0063d3", "#b15600", "#2f7a31", "#652d90", "#04748f", "#c72e0f", "#8a6200", "#a804a8"],
  dark: ["#59a4f9", "#ee9d28", "#89d185", "#c09ae0", "#29b8db", "#f48771", "#d7ba3d", "#e08ae0"],
};
/** For an author without an accent. */
const OTHER: Readonly<Record<Shade, string>> = { light: "#616161", dark: "#b0b0b0" };
const TEXT: Readonly<Record<Shade, string>> = { light: "#ffffff", dark: "#1a1a1a" };

/** An image for the gutter, as a data URI. */
export function authorIcon(kind: AuthorIconKind, initials: string, accent: number | undefined, shade: Shade): string {
  const color = (accent === undefined ? undefined : COLORS[shade][accent]) ?? OTHER[shade];
  const shape =
    kind === "bar"
      ? `<rect x="7" width="2" height="16" fill="${color}"/>`
      : `<rect y="1" width="16" height="14" rx="3" fill="${color}"/>${lettersOf(initials, TEXT[shade])}`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16">${shape}</svg>`;
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
}

/** Initials are letters and digits, of any script. */
function lettersOf(initials: string, color: string): string {
  const letters = initials.replace(/[^\p{L}\p{N}]/gu, "");
  const [size, y] = [...letters].length > 1 ? [9, 11.2] : [11, 12];
  const font = `font-family="sans-serif" font-size="${size}" font-weight="700"`;
  return `<text x="8" y="${y}" text-anchor="middle" ${font} fill="${color}">${letters}</text>`;
}
