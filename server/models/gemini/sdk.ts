/** Google's SDK, which is a bundle of its own: it is loaded with the first request. */
export { ApiError, GoogleGenAI } from "@google/genai/web";
