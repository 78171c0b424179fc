/** What users know a thread by: the title that they gave it, or else the name of its team. */
export const threadName = ({ title, name }: { readonly title?: string | undefined; readonly name: string }): string =>
  title ?? name;
