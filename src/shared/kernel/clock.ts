/**
 * The one clock of the service: PostgreSQL's `now()` plus an offset that only the sandbox can set.
 * Inside a unit of work it stands still, as `now()` does. Leases and socket timeouts use real time instead.
 */
export abstract class Clock {
  abstract now(): Promise<Date>;
}
