/** Whether a store is a server and not a folder. */
export const isPostgres = (store: string): boolean => /^postgres(ql)?:\/\//i.test(store);
