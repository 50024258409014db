export interface LogEvent {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  /** Constant text. Values that differ between lines are in the fields. */
  readonly message: string;
  /** Names of the fields, separated by spaces. */
  readonly fields: string | undefined;
}

const logEventsAt =
  (level: LogEvent['level']) =>
  <Fields extends string = never>(message: string, fields?: Fields) => ({ level, message, fields });

export const [debug, info, warn, error] = [
  logEventsAt('debug'),
  logEventsAt('info'),
  logEventsAt('warn'),
  logEventsAt('error'),
];
