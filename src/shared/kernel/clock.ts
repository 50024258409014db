/**
 * The service's clock: PostgreSQL's `now()` plus an offset that only the sandbox can set. Constant inside a unit of
 * work, like `now()`. Leases and socket timeouts do not use this clock; they use real time.
 */
export abstract class Clock {
  abstract now(): Promise<Date>;
}
