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

type LogArguments<Name extends LogEventName> =
  LogFields<Name> extends Record<string, never> ? [] : [fields: LogFields<Name>];

/** Logs events of `LOG_EVENTS` for one part of the service. */
export class EventLogger {
  /** State that `writeOnce` last logged, by subject. */
  private readonly states = new Map<string, string>();

  /** @param target default: the logger of the process */
  constructor(
    private readonly context: string,
    private readonly target: LoggerService = new Logger(),
  ) {}

  write<Name extends LogEventName>(event: Name, ...[fields]: LogArguments<Name>): void {
    const { level, message: msg } = LOG_EVENTS[event];
    this.target[METHODS[level]]?.({ event, msg, ...fields }, this.context);
  }

  /** Logs only if the state of the subject has changed, so that lasting conditions do not flood the log. */
  writeOnce<Name extends LogEventName>(
    subject: string,
    state: string,
    event: Name,
    ...fields: LogArguments<Name>
  ): void {
    if (this.states.get(subject) === state) return;
    this.states.set(subject, state);
    this.write(event, ...fields);
  }

  /** Makes `writeOnce` log the next state of the subject, whatever it is. */
  forget(subject: string): void {
    this.states.delete(subject);
  }

  /** Returns the subjects with a logged state that start with `prefix`. */
  subjects(prefix: string): string[] {
    return [...this.states.keys()].filter((subject) => subject.startsWith(prefix));
  }
}
