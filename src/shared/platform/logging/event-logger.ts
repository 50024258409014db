import { Logger, type LoggerService } from '@nestjs/common';
import { CONTEXT_LOG_EVENTS } from './context-log-events.js';
import { PLATFORM_LOG_EVENTS } from './platform-log-events.js';

/** All log events, each with its level, fixed message and fields. Operators search for these names. */
export const LOG_EVENTS = { ...PLATFORM_LOG_EVENTS, ...CONTEXT_LOG_EVENTS };

export type LogEventName = keyof typeof LOG_EVENTS;

type Words<Text> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text;

type LogFields<Name extends LogEventName> = Readonly<
  Record<Words<NonNullable<(typeof LOG_EVENTS)[Name]['fields']>> & string, unknown>
>;

const METHODS = { debug: 'debug', info: 'log', warn: 'warn', error: 'error' } as const;

/** Logs events of `LOG_EVENTS` for one part of the service. */
export class EventLogger {
  /** @param target default: the logger of the process */
  constructor(
    private readonly context: string,
    private readonly target: LoggerService = new Logger(),
  ) {}

  write<Name extends LogEventName>(
    event: Name,
    ...[fields]: LogFields<Name> extends Record<string, never> ? [] : [fields: LogFields<Name>]
  ): void {
    const { level, message: msg } = LOG_EVENTS[event];
    this.target[METHODS[level]]?.({ event, msg, ...fields }, this.context);
  }
}
