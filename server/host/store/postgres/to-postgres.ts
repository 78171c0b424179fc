/** A text in SQL, a parameter, or a name. */
const TOKENS = /'(?:[^']|'')*'|\?\d*|[A-Za-z_]\w*/g;

const HAS_CAPITAL = /[a-z][A-Z]/;

/**
 * The store's SQL, which is that of SQLite, for PostgreSQL. It covers what the store uses:
 * - parameters have numbers, and names with capital letters are quoted;
 * - checksums of rows are left to the server, which has its own;
 * - JSON is read by the function `jsonText` of the schema (tables.ts), and is always valid.
 */
export function toPostgres(sql: string): string {
  let last = 0;
  return sql
    .replaceAll(/rowSum\((?:[^()]|\([^()]*\))*\)/g, "0")
    .replaceAll(/json_valid\(\w+\)/g, "TRUE")
    .replaceAll(
      /(\w+) ->>? '\$\.([\w.]+)'/g,
      (_, column, path) => `jsonText(${column}, '{${path.replaceAll(".", ",")}}')`,
    )
    .replaceAll(/\binstr\(/g, "strpos(")
    .replaceAll(/\blower\((\w+)\)/g, 'lower($1 COLLATE "C")')
    .replaceAll(TOKENS, (token) => {
      if (token.startsWith("?")) return `$${token === "?" ? ++last : token.slice(1)}`;
      return !token.startsWith("'") && HAS_CAPITAL.test(token) ? `"${token}"` : token;
    });
}

/** PostgreSQL's texts cannot have the character U+0000. It is stored as this one, which is no character, and a digit. */
const ESCAPE = "\u{10FFFF}";

export const storable = (text: string): string =>
  text.includes("\0") || text.includes(ESCAPE)
    ? text.replaceAll(ESCAPE, `${ESCAPE}1`).replaceAll("\0", `${ESCAPE}0`)
    : text;

export const stored = (text: string): string =>
  text.includes(ESCAPE) ? text.replaceAll(`${ESCAPE}0`, "\0").replaceAll(`${ESCAPE}1`, ESCAPE) : text;
