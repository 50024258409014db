export interface TracingSettings {
  readonly serviceName: string;
  readonly environment: string;
  /** Of the traces that begin here, the share that is recorded: above 0, at most 1. */
  readonly ratio: number;
  readonly sentEveryMs: number;
}
