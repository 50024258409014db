/** The last audit of a network's books against its chain that has ended, and the one that runs. */
export interface AuditResult {
  readonly network: string;
  readonly beganAt: Date;
  /** Null while it runs. */
  readonly endedAt: Date | null;
  readonly block: number;
  readonly addresses: number;
  readonly transfers: number;
  readonly tokens: number;
  readonly findings: number;
}

/** Results of the workers' audits. Reading them locks nothing. */
export abstract class AuditResults {
  /** At most two for each network. */
  abstract latest(): Promise<AuditResult[]>;
}
