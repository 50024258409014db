/** The stored progress of reading a network: every process sees the same. */
export interface NetworkReading {
  readonly network: string;
  /** The newest block that was read. */
  readonly headNumber: number;
  readonly headTime: Date;
  /** The newest block that can no longer disappear and was read a second time; null before there is one. */
  readonly finalNumber: number | null;
  readonly finalTime: Date | null;
  /** A sentence on what endpoints disagree about, and since when; both null while they agree. */
  readonly disagreement: string | null;
  readonly disagreesSince: Date | null;
  /** Up to then mempools were read whole; null where no transfer is followed before its block. */
  readonly pendingReadAt: Date | null;
  /** How long it may be behind or in disagreement, by its watcher's configuration; null before the first turn. */
  readonly maxLagSeconds: number | null;
  /** Neither lasts longer than that. New requests are refused otherwise, in every process. */
  readonly isWatched: boolean;
}

/** Counts of what a network must be rid of before it is taken out of the configuration. */
export interface NetworkDues {
  readonly network: string;
  /** Payment requests that wait for payment or for finality there. */
  readonly openRequests: number;
  /** Addresses that are held from settlement until an operator releases them. */
  readonly heldAddresses: number;
}

/** The reading progress of networks, and the requests open on them. Locks nothing. */
export abstract class ReadingProgress {
  /** One for every network that was ever read. */
  abstract readings(): Promise<NetworkReading[]>;
  /** One for every network that has any. */
  abstract dues(): Promise<NetworkDues[]>;
}

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
