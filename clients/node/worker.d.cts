/** An answer: an object, a text for stdout, or nothing for no opinion. */
export type Answer = object | string | null | undefined | void;

/** Gets the payload of one event. It may be asynchronous; one that throws has failed. */
export type Handler = (event: any) => Answer | Promise<Answer>;

/**
 * Serve until stdin ends: many events as a worker (`TENTERHOOK_WORKER=1`), one as a plain hook.
 *
 * What the handler prints goes to stderr, so that nothing stray is taken for an answer.
 * `process.exitCode`, set by the handler, is the exit code of its event, and `process.exit(code)` ends its event alone.
 * While an event of a worker is handled, the process stands in the event's folder and has the event's variables.
 */
export function run(handler: Handler): void;
