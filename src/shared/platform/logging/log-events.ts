import { CONTEXT_LOG_EVENTS } from './context-log-events.js';
import { PLATFORM_LOG_EVENTS } from './platform-log-events.js';

/** Every event that the service logs, with its level, its fixed message and its fields. Operators search for the names. */
export const LOG_EVENTS = { ...PLATFORM_LOG_EVENTS, ...CONTEXT_LOG_EVENTS };

export type LogEventName = keyof typeof LOG_EVENTS;

type Words<Text> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text;

export type LogFields<Name extends LogEventName> = Readonly<
  Record<Words<NonNullable<(typeof LOG_EVENTS)[Name]['fields']>> & string, unknown>
>;
