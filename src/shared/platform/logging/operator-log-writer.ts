import { Logger, type LoggerService } from '@nestjs/common';
import type { LogEvent } from './log-event.js';
import type { PLATFORM_LOG_EVENTS } from './platform-log-events.js';

type Words<Text> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text;

type LogFields<Event extends LogEvent> = Readonly<
  Record<Words<NonNullable<Event['fields']>> & string, unknown>
>;

type LogArguments<Event extends LogEvent> =
  LogFields<Event> extends Record<string, never> ? [] : [fields: LogFields<Event>];

const METHODS = { debug: 'debug', info: 'log', warn: 'warn', error: 'error' } as const;

/** Logs the events of one part of the service. Operators search logs by the names of these events. */
export class OperatorLogWriter<
  Events extends Readonly<Record<string, LogEvent>> = typeof PLATFORM_LOG_EVENTS,
> {
  private readonly states = new Map<string, string>();

  /** @param events of the caller's context, or of the platform */
  constructor(
    private readonly context: string,
    private readonly events: Events,
    private readonly target: LoggerService = new Logger(),
  ) {}

  write<Name extends keyof Events & string>(event: Name, ...[fields]: LogArguments<Events[Name]>): void {
    const { level, message: msg } = this.events[event]!;
    this.target[METHODS[level]]?.({ event, msg, ...fields }, this.context);
  }

  writeOnce<Name extends keyof Events & string>(
    subject: string,
    state: string,
    event: Name,
    ...fields: LogArguments<Events[Name]>
  ): void {
    if (this.states.get(subject) === state) return;
    this.states.set(subject, state);
    this.write(event, ...fields);
  }

  forgetLoggedState(subject: string): void {
    this.states.delete(subject);
  }

  subjectsWithLoggedState(prefix: string): string[] {
    return [...this.states.keys()].filter((subject) => subject.startsWith(prefix));
  }
}
