import type { ChainProgress } from './incoming-transfer.js';

/** The stored progress of reading a network, the same for every process. */
export interface NetworkReading {
  readonly network: string;
  readonly headNumber: number;
  readonly headTime: Date;
  /** The newest final block that passed the confirmation read; null before there is one. */
  readonly finalNumber: number | null;
  readonly finalTime: Date | null;
  /** A sentence that describes the disagreement between endpoints; null, like its start time, while they agree. */
  readonly disagreement: string | null;
  readonly disagreesSince: Date | null;
  /** Mempools were read completely up to this time; null if transfers are not followed before their block. */
  readonly pendingReadAt: Date | null;
  /** Allowed time of lag or disagreement, as the watcher is configured; null before its first iteration. */
  readonly maxLagSeconds: number | null;
  /** Neither lag nor disagreement exceeds the allowed time. If false, every process rejects new requests. */
  readonly isWatched: boolean;
}

/** Reads the progress of networks, for readiness and operators. Locks nothing. */
export abstract class ReadingProgress {
  abstract readings(): Promise<NetworkReading[]>;
}

export abstract class ReadProgress {
  /** Progress by network. A network that has not been read is absent. */
  abstract progress(networks: readonly string[]): Promise<Map<string, ChainProgress>>;
}

/**
 * The progress watermark of the cursor `c`: every incoming transfer on its network up to that time is known. It stops while
 * balances or mempools cannot be read, because a transfer could go unnoticed and its request expire. After a day the block
 * timestamp decides.
 * @param time `c.head_time` or `c.final_time`
 */
export function progressWatermark(time: string): string {
  // GREATEST and LEAST ignore NULL, so `time` remains if neither balances nor mempools are read.
  const until = (known: string) =>
    `CASE WHEN ${known} IS NOT NULL THEN GREATEST(${known}, c.head_time - interval '1 day') END`;
  return `LEAST(${time}, ${until('c.balances_compared_at')}, ${until('c.pending_read_at')})`;
}

/**
 * True if the network is within its allowed lag and its allowed time of disagreement between endpoints. False for a network
 * without a cursor, because a payment in a block before the first one read would never be detected.
 * @param network an SQL expression
 */
export function isWatched(network: string): string {
  return `EXISTS (SELECT 1 FROM payments.chain_cursors c WHERE c.network = ${network}
           AND (c.max_lag_seconds IS NULL
             OR (c.head_time > platform.now() - make_interval(secs => c.max_lag_seconds)
               AND (c.disagrees_since > clock_timestamp() - make_interval(secs => c.max_lag_seconds)) IS NOT FALSE)))`;
}
