import type { ChainProgress } from './incoming-transfer.js';

/** Stored progress of reading a network, the same for every process. */
export interface NetworkReadProgress {
  readonly network: string;
  readonly headNumber: number;
  readonly headTime: Date;
  /** The newest final block that passed the confirmation read. Null before the first one. */
  readonly finalNumber: number | null;
  readonly finalTime: Date | null;
  /** A sentence that describes the disagreement between endpoints. Null while they agree. */
  readonly disagreement: string | null;
  readonly disagreesSince: Date | null;
  /** Mempools were read completely up to this time. Null if the network does not follow pending transfers. */
  readonly pendingReadAt: Date | null;
  /**
   * Maximum lag and maximum duration of a disagreement, from the settings of the watcher. Null before its first
   * iteration.
   */
  readonly maxLagSeconds: number | null;
  /**
   * True if neither lag nor disagreement exceeds `maxLagSeconds`. If false, every process rejects new payment
   * requests.
   */
  readonly isWatched: boolean;
}

/** Reads the progress of all networks, for readiness checks and operators. Takes no locks. */
export abstract class ReadingProgress {
  abstract networkProgress(): Promise<NetworkReadProgress[]>;
}

export abstract class ReadProgress {
  /** Returns the progress by network. Networks that were never read are absent. */
  abstract progress(networks: readonly string[]): Promise<Map<string, ChainProgress>>;
}

/**
 * Returns an SQL expression for the progress watermark of the cursor `c`: all incoming transfers on its network up
 * to that time are known. The watermark stops while balances or mempools cannot be read, because a request could
 * expire although it was paid. After one day, the block timestamp is used instead.
 * @param time `c.head_time` or `c.final_time`
 */
export function progressWatermarkExpression(time: string): string {
  // GREATEST and LEAST ignore NULL, so the result is `time` on networks whose balances and mempools are not read.
  const until = (known: string) =>
    `CASE WHEN ${known} IS NOT NULL THEN GREATEST(${known}, c.head_time - interval '1 day') END`;
  return `LEAST(${time}, ${until('c.balances_compared_at')}, ${until('c.pending_read_at')})`;
}

/**
 * Returns an SQL condition: the network is within its maximum lag and its maximum duration of a disagreement. False
 * for a network without a cursor, because payments before its first block read would never be detected.
 * @param network an SQL expression
 */
export function isWatchedCondition(network: string): string {
  return `EXISTS (SELECT 1 FROM payments.chain_cursors c WHERE c.network = ${network}
           AND (c.max_lag_seconds IS NULL
             OR (c.head_time > platform.now() - make_interval(secs => c.max_lag_seconds)
               AND (c.disagrees_since > clock_timestamp() - make_interval(secs => c.max_lag_seconds)) IS NOT FALSE)))`;
}
