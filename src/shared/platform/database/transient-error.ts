import { isNativeError } from 'node:util/types';
import { DomainError } from '#shared/kernel/domain-error.js';

export class WritesStoppedError extends DomainError {
  constructor() {
    super(
      'unavailable',
      'writing_stopped',
      'The service does not accept changes now: its database lost confirmed data, and its operator is checking it. Try again later.',
    );
  }
}

/** SQLSTATE classes of temporary errors: connection, serialization, resources, lock, shutdown. */
const TRANSIENT_STATES = /^(?:08|40|53|55P03|57P|57014|58|25P03|25006)/;
const TRANSIENT_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** True if the same statement may succeed on a retry (SQLSTATEs: PostgreSQL manual, appendix A). */
export function isTransientDatabaseError(error: unknown): boolean {
  if (!isNativeError(error)) return false;
  if (error instanceof WritesStoppedError) return true;
  const code = errorCode(error);
  if (typeof code === 'string') return TRANSIENT_CODES.has(code) || TRANSIENT_STATES.test(code);
  return /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|already released|Query read timeout/i.test(
    error.message,
  );
}

/** True for SQLSTATE read_only_sql_transaction. */
export function isReadOnlyError(error: unknown): error is Error {
  return error instanceof Error && errorCode(error) === '25006';
}

function errorCode(error: Error): unknown {
  const cause = (error as { driverError?: unknown }).driverError ?? error;
  return (cause as { code?: unknown }).code;
}
