import { Injectable } from '@nestjs/common';
import { BackgroundWork } from '../background/background-work.js';
import { Database } from '../database/database.js';
import { LeasedLoop } from '../leases/leased-loop.js';
import { Leases } from '../leases/leases.js';
import { OperatorLogWriter } from '../logging/operator-log-writer.js';
import { PLATFORM_LOG_EVENTS } from '../logging/platform-log-events.js';

/** SQL that serializes an event `e` for the hash chain: every column, independent of session settings. */
export const HASHED_EVENT_SQL = `jsonb_build_array(e.id, e.transaction_id::text, e.position, e.type, e.aggregate_id,
    e.organization_id, e.account_id, extract(epoch FROM e.occurred_at), e.data)::text`;

/**
 * SHA-256 over the previous digest, the seal's number, the number of events and the events `e`. @param previous,
 * number SQL expressions
 */
export function hashChainDigestSql(previous: string, number: string): string {
  return `sha256(${previous} || convert_to(${number} || E'\\n' || count(e.id) || E'\\n'
    || COALESCE(string_agg(${HASHED_EVENT_SQL}, E'\\n' ORDER BY e.transaction_id, e.position), ''), 'UTF8'))`;
}

/** Events `e` that the seal `s` covers. The redundant first line lets PostgreSQL skip partitions. */
export const HASH_CHAIN_LINK_EVENTS = `e.transaction_id >= s.after_transaction AND e.transaction_id <= s.transaction_id
    AND (e.transaction_id, e.position) > (s.after_transaction, s.after_position)
    AND (e.transaction_id, e.position) <= (s.transaction_id, s.position)`;

/** Maximum number of events per seal. */
export const MAX_EVENTS_PER_CHAIN_LINK = 5_000;

export const HASH_CHAIN_LEASE = 'seals';

interface Seal {
  readonly number: number;
  readonly digest: string;
  readonly events: number;
}

/** Hash chain over the event log (docs/decisions/0019-hash-chain-and-chain-audit.md). */
@Injectable()
export class EventHashChain {
  constructor(
    private readonly database: Database,
    private readonly leases: Leases,
  ) {}

  /**
   * Seals up to the oldest running transaction. A seal never spans two partitions, so that an archived partition
   * contains complete seals. @param epoch of the caller's lease
   */
  async appendLink(epoch: bigint, most = MAX_EVENTS_PER_CHAIN_LINK): Promise<Seal | null> {
    return this.database.run(async () => {
      await this.leases.lockUntilCommit(HASH_CHAIN_LEASE, epoch);
      const [row] = await this.database.queryInTransaction<{
        number: number;
        digest: string;
        events: number;
      }>(
        `WITH last AS (SELECT * FROM platform.seals ORDER BY number DESC LIMIT 1),
         -- Values in place of joins: PostgreSQL would look for the place of the last seal from the beginning of the log.
         unsealed AS NOT MATERIALIZED (SELECT e.* FROM platform.events e
           WHERE e.transaction_id >= (SELECT transaction_id FROM last)
             AND (e.transaction_id, e.position) > ((SELECT transaction_id FROM last), (SELECT position FROM last))
             AND e.transaction_id < pg_snapshot_xmin(pg_current_snapshot())),
         e AS (SELECT u.* FROM unsealed u
           WHERE u.transaction_id < COALESCE((SELECT p.to_transaction FROM platform.event_partitions p
             WHERE p.to_transaction > (SELECT f.transaction_id FROM unsealed f ORDER BY f.transaction_id, f.position LIMIT 1)
             ORDER BY p.to_transaction LIMIT 1), pg_snapshot_xmin(pg_current_snapshot()))
           ORDER BY u.transaction_id, u.position LIMIT $1),
         sealed AS (SELECT l.number + 1 AS number, count(e.id) AS events, ${hashChainDigestSql('l.digest', '(l.number + 1)')} AS digest
           FROM last l JOIN e ON true GROUP BY l.number, l.digest)
         INSERT INTO platform.seals (number, transaction_id, position, events, digest)
         SELECT s.number, e.transaction_id, e.position, s.events, s.digest
         FROM sealed s, (SELECT transaction_id, position FROM e ORDER BY transaction_id DESC, position DESC LIMIT 1) e
         RETURNING number, encode(digest, 'hex') AS digest, events`,
        [most],
      );
      return row ?? null;
    });
  }

  async findLinkByDigest(digest: string): Promise<Seal | null> {
    const [row] = await this.database.query<{ number: number; digest: string; events: number }>(
      `SELECT number, encode(digest, 'hex') AS digest, events FROM platform.seals WHERE encode(digest, 'hex') = lower($1)`,
      [digest],
    );
    return row ?? null;
  }
}

const SEAL_INTERVAL_MS = 60_000;

/** Runs once a minute, in the worker that holds the lease. */
@Injectable()
export class ExtendEventHashChain extends BackgroundWork {
  private readonly log = new OperatorLogWriter('seals', PLATFORM_LOG_EVENTS);

  constructor(
    private readonly seals: EventHashChain,
    leases: Leases,
  ) {
    const options = { name: 'sealing', lease: HASH_CHAIN_LEASE, idleMs: SEAL_INTERVAL_MS };
    super([new LeasedLoop(options, leases, (epoch) => this.seal(epoch))]);
  }

  private async seal(epoch: bigint): Promise<boolean> {
    const seal = await this.seals.appendLink(epoch);
    if (seal === null) return false;
    const { number, digest, events } = seal;
    // A copy of this line outside the database can prove a rewritten log: `operator verify --seal <digest>`.
    this.log.write('events.sealed', { seal: number, digest, events });
    return events === MAX_EVENTS_PER_CHAIN_LINK;
  }
}
