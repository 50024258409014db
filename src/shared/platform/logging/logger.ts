import type { LoggerService } from '@nestjs/common';
import { pino, type DestinationStream, type Logger } from 'pino';
import { AsyncLocalStorage } from 'node:async_hooks';
import { currentTraceFields } from '../tracing/tracing.js';

const requestIds = new AsyncLocalStorage<string>();

/** Makes `requestId` the current request id during `work`, including its asynchronous parts. */
export function runWithRequestId<T>(requestId: string, work: () => T): T {
  return requestIds.run(requestId, work);
}

export function currentRequestId(): string | undefined {
  return requestIds.getStore();
}

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

export interface LoggerOptions {
  level: LogLevel;
  base?: Record<string, string>;
  destination?: DestinationStream;
}

const SECRET_FIELDS = [
  'authorization',
  'Authorization',
  'cookie',
  'api_secret',
  'apiSecret',
  'secret',
  'secrets',
  'token',
  'password',
  'privateKey',
  'private_key',
];

/** Requests do not wait for writing. A warning, an error or a graceful exit writes the buffer; a SIGKILL loses it. */
const MAX_BUFFERED_MS = 100;
const BUFFER_BYTES = 12_288;

function standardOutput(): DestinationStream {
  return pino.destination({ dest: 1, minLength: BUFFER_BYTES, periodicFlush: MAX_BUFFERED_MS });
}

/** Nest's logger. Writes JSON lines with the request id, and redacts secrets up to three levels deep. */
export class JsonLogger implements LoggerService {
  private readonly pino: Logger;
  /** Logger without redaction, for `plainEvent`. */
  private readonly plain: Logger;

  constructor(options: LoggerOptions) {
    this.pino = pino(
      {
        level: options.level,
        base: options.base ?? {},
        timestamp: pino.stdTimeFunctions.isoTime,
        formatters: { level: (label) => ({ level: label }) },
        redact: {
          paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
          censor: '[redacted]',
        },
        serializers: { err: describeError },
        mixin: () => {
          const requestId = currentRequestId();
          return { ...(requestId !== undefined && { request_id: requestId }), ...currentTraceFields() };
        },
      },
      options.destination ?? standardOutput(),
    );
    this.plain = this.pino.child({}, { redact: [] });
  }

  /**
   * Logs an `info` line without redaction, which would take most of the time. The fields must not contain secrets.
   */
  logUnredacted(message: string, fields: Readonly<Record<string, string | number | boolean | null>>): void {
    this.plain.info(fields, message);
  }

  log(message: unknown, ...rest: unknown[]): void {
    this.write('info', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  /** Nest passes the context as the last argument and, for errors, the stack trace before it. */
  private write(level: Exclude<LogLevel, 'silent'>, message: unknown, rest: unknown[]): void {
    const fields: Record<string, unknown> = {};
    const last = rest.at(-1);
    if (typeof last === 'string') fields.context = last;
    const error = [message, ...rest].find((part) => part instanceof Error);
    const stack = rest.slice(0, -1).find((part) => typeof part === 'string' && part.includes('\n'));
    if (error !== undefined) fields.err = error;
    else if (stack !== undefined) fields.stack = stack;

    if (message instanceof Error) this.pino[level](fields, message.message);
    else if (typeof message === 'object' && message !== null) this.pino[level]({ ...message, ...fields });
    else this.pino[level](fields, String(message));
    this.flushFrom(level);
  }

  private flushFrom(level: LogLevel): void {
    if (level === 'warn' || level === 'error' || level === 'fatal') this.pino.flush();
  }
}

/** Database drivers attach statements, parameters and rows to errors. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, cause } = error as Error & { code?: unknown };
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...(code === undefined ? {} : { code }),
    ...(cause === undefined ? {} : { cause: describeError(cause) }),
  };
}
