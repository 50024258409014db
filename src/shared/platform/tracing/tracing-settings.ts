export interface TracingSettings {
  readonly serviceName: string;
  readonly environment: string;
  /** The share of the traces that begin here that is recorded: above 0, at most 1. */
  readonly ratio: number;
  readonly sentEveryMs: number;
}
