import type { LoggerService } from '@nestjs/common';
import { pino, type DestinationStream, type Logger } from 'pino';
import { AsyncLocalStorage } from 'node:async_hooks';
import { currentTraceFields } from '../tracing/tracing.js';

const requestIds = new AsyncLocalStorage<string>();

/** Runs `work`, including its asynchronous work, as part of the HTTP request with this id. */
export function runWithRequestId<T>(requestId: string, work: () => T): T {
  return requestIds.run(requestId, work);
}

/** Returns the id of the current HTTP request; undefined in background work. */
export function currentRequestId(): string | undefined {
  return requestIds.getStore();
}

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

export interface LoggerOptions {
  level: LogLevel;
  /** Fields of every line, e.g. the process's role. */
  base?: Record<string, string>;
  /** Default: standard output. */
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

/**
 * Lines are buffered and written in batches outside requests, within this many milliseconds. A warning or error flushes the
 * buffer immediately. A graceful exit flushes too; a SIGKILL loses the buffer.
 */
const WRITTEN_WITHIN = 100;
const GATHERED_BYTES = 12_288;

function standardOutput(): DestinationStream {
  return pino.destination({ dest: 1, minLength: GATHERED_BYTES, periodicFlush: WRITTEN_WITHIN });
}

/** Nest's logger, writing JSON lines with the request id. Redacts secrets up to three levels deep. */
export class JsonLogger implements LoggerService {
  private readonly pino: Logger;
  /** Logger without redaction. */
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

  /** Logs an `info` line without redaction, which costs most of the time of a line. No field may contain a secret. */
  plainEvent(message: string, fields: Readonly<Record<string, string | number | boolean | null>>): void {
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

  /** Nest passes the context last; for errors, the stack before it. */
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

/** Keeps only useful fields, because drivers attach statements, parameters and rows to errors. */
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
