/**
 * PostgreSQL's `now()` plus an offset that only the sandbox can set. Leases and socket timeouts use real time
 * instead.
 */
export abstract class Clock {
  abstract now(): Promise<Date>;
}
