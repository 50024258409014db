import type { ChainProgress } from './incoming-transfer.js';

export interface NetworkReadProgress {
  readonly network: string;
  readonly headNumber: number;
  readonly headTime: Date;
  /** The newest block that passed the confirmation read, in which the smallest payments are final. */
  readonly finalNumber: number | null;
  /** The newest of these blocks that is final for the chain. */
  readonly finalizedNumber: number | null;
  readonly finalTime: Date | null;
  /** A sentence. Null while the endpoints agree. */
  readonly disagreement: string | null;
  readonly disagreesSince: Date | null;
  /** Mempools were read completely up to this time. */
  readonly pendingReadAt: Date | null;
  /** Null before the watcher's first iteration. */
  readonly maxLagSeconds: number | null;
  /** If false, every process rejects new payment requests. */
  readonly isWatched: boolean;
}

/** Takes no locks. */
export abstract class NetworkReadProgressQuery {
  abstract networkProgress(): Promise<NetworkReadProgress[]>;
}

export abstract class ChainProgressQuery {
  /** Networks that were never read are absent. */
  abstract progress(networks: readonly string[]): Promise<Map<string, ChainProgress>>;
}

/**
 * The watermark stops while balances or mempools cannot be read, because a request could expire although it was paid.
 * After one day, the block timestamp is used instead.
 */
export function progressWatermarkExpression(time: string): string {
  // GREATEST and LEAST ignore NULL, so the result is `time` on networks whose balances and mempools are not read.
  const until = (known: string) =>
    `CASE WHEN ${known} IS NOT NULL THEN GREATEST(${known}, c.head_time - interval '1 day') END`;
  return `LEAST(${time}, ${until('c.balances_compared_at')}, ${until('c.pending_read_at')})`;
}

/** False for a network without a cursor, because payments before its first block read would never be detected. */
export function isWatchedCondition(network: string): string {
  return `EXISTS (SELECT 1 FROM payments.chain_cursors c WHERE c.network = ${network}
           AND (c.max_lag_seconds IS NULL
             OR (c.head_time > platform.now() - make_interval(secs => c.max_lag_seconds)
               AND (c.disagrees_since > clock_timestamp() - make_interval(secs => c.max_lag_seconds)) IS NOT FALSE)))`;
}
