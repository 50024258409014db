import { Logger, type LoggerService } from '@nestjs/common';
import { LOG_EVENTS, type LogEventName, type LogFields } from './log-events.js';

const METHODS = { debug: 'debug', info: 'log', warn: 'warn', error: 'error' } as const;

/** Logs the events of `log-events.ts`, each with its own level, message and fields, for one part of the service. */
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
