/**
 * Replaces each `{key}` of a template by its value, in one pass: keys inside values and unknown keys are left as they are.
 */
export function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, key: string) =>
    Object.hasOwn(values, key) ? (values[key] ?? "") : whole,
  );
}
