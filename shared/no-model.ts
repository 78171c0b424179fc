/** How the problem of a team that lacks a model ends: by it, a client knows that selecting a default model solves it. */
export const SET_DEFAULT_MODEL = "set gavel.model in the settings";
