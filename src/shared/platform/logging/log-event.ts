export interface LogEvent {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
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
