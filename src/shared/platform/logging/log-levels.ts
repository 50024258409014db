/** @param fields names, separated by spaces */
const of =
  (level: 'debug' | 'info' | 'warn' | 'error') =>
  <Fields extends string = never>(message: string, fields?: Fields) => ({ level, message, fields });

export const [debug, info, warn, error] = [of('debug'), of('info'), of('warn'), of('error')];
