import type { Memento } from "vscode";

/** What an extension stores, in memory: as VS Code does, values come back as copies. */
export function memoryMemento(): Memento {
  const values = new Map<string, string>();
  return {
    keys: () => [...values.keys()],
    get: (key: string, fallback?: unknown) => {
      const stored = values.get(key);
      return stored === undefined ? fallback : JSON.parse(stored);
    },
    update: async (key: string, value: unknown) => {
      if (value === undefined) values.delete(key);
      else values.set(key, JSON.stringify(value));
    },
  };
}
