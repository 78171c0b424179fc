/** The package's own types are not those of a module. */
declare module "@mixmark-io/domino" {
  const domino: { createDocument(html: string, force: boolean): unknown };
  export = domino;
}
