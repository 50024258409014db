import { Injectable } from '@nestjs/common';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import { Leases } from '#shared/platform/leases/leases.js';
import type { ChainProgress } from '../../contract/incoming-transfer.js';
import {
  CursorMoved,
  watcherLeaseName,
  type BalanceComparisonRound,
  type Block,
  type Cursor,
  type CursorMove,
} from '../../domain/cursor.js';
import { progressWatermarkExpression, ChainProgressQuery } from '../../contract/reading-progress.js';

interface CursorRow {
  headNumber: number;
  headHash: string;
  headTime: Date;
  finalNumber: number | null;
  finalTime: Date | null;
  safeNumber: number | null;
  finalizedNumber: number | null;
  disagreement: string | null;
  balancesComparedAt: Date | null;
  balanceRoundTo: PaymentRequestId | null;
  balanceRoundBeganAt: Date | null;
  pendingReadAt: Date | null;
}

const PROGRESS_COLUMNS = `${progressWatermarkExpression('c.head_time')} AS head_time, c.final_number, c.safe_number, c.finalized_number, ${progressWatermarkExpression('c.final_time')} AS final_time`;

/** Only confirmed blocks have tags (`f`: the newest one), and a lagging endpoint takes no tag back. */
function newestTagged(stored: string, read: string): string {
  return `GREATEST(${stored}, CASE WHEN ${read}::bigint <= f.number THEN ${read}::bigint WHEN ${read} IS NOT NULL THEN f.number END)`;
}

/**
 * $1: number of blocks to keep below finality; $2: limit. Waits for locked rows, because skipping them would leave a
 * gap.
 */
export const PRUNE_BLOCKS_SQL = `
DELETE FROM payments.blocks WHERE ctid = ANY (ARRAY(
  SELECT o.place FROM payments.chain_cursors c CROSS JOIN LATERAL (
    SELECT ctid AS place FROM payments.blocks
    WHERE network = c.network AND number < COALESCE(c.finalized_number, c.final_number, c.head_number) - $1
    ORDER BY network, number LIMIT $2 FOR UPDATE) o
  LIMIT $2)) RETURNING number`;

/**
 * Methods that change a cursor need a unit of work and the lease's epoch. They throw LeaseLost or CursorMoved if
 * another process has taken over.
 */
@Injectable()
export class PostgresWatchedChains extends ChainProgressQuery {
  constructor(
    private readonly database: Database,
    private readonly leases: Leases,
  ) {
    super();
  }

  async cursor(network: string): Promise<Cursor | null> {
    const [row] = await this.database.query<CursorRow>(
      `SELECT head_number, head_hash, head_time, final_number, disagreement, balances_compared_at, balance_round_to,
         balance_round_began_at, pending_read_at
       FROM payments.chain_cursors WHERE network = $1`,
      [network],
    );
    if (row === undefined) return null;
    return {
      head: { number: row.headNumber, hash: row.headHash, time: row.headTime },
      finalNumber: row.finalNumber,
      disagreement: row.disagreement,
      balancesKnownAt: row.balancesComparedAt,
      balanceRound: toBalanceRound(row),
      pendingReadAt: row.pendingReadAt,
    };
  }

  /** Null if the block was pruned or not read yet. */
  async block(network: string, number: number): Promise<Block | null> {
    return (await this.blocks(network, [number])).get(number) ?? null;
  }

  async blocks(network: string, numbers: readonly number[]): Promise<Map<number, Block>> {
    if (numbers.length === 0) return new Map();
    const rows = await this.database.query<Block>(
      `SELECT number, hash, parent_hash, time, read_by FROM payments.blocks
       WHERE network = $1 AND number = ANY($2)`,
      [network, numbers],
    );
    return new Map(rows.map((row) => [row.number, row]));
  }

  /** Does nothing if a cursor exists. */
  async createCursorIfMissing(
    network: string,
    block: Block,
    pendingReadAt: Date | null,
    epoch: bigint,
  ): Promise<void> {
    await this.leases.lockUntilCommit(watcherLeaseName(network), epoch);
    const begun = await this.database.queryInTransaction(
      `INSERT INTO payments.chain_cursors (network, head_number, head_hash, head_time, final_number, final_time, safe_number,
         finalized_number, pending_read_at)
       VALUES ($1, $2, $3, $4, $2, $4, $2, $2, $5) ON CONFLICT (network) DO NOTHING RETURNING network`,
      [network, block.number, block.hash, block.time, pendingReadAt],
    );
    if (begun.length === 1) await this.storeBlocks(network, [block]);
  }

  async advance(
    network: string,
    {
      from,
      blocks,
      finalNumber,
      tagged,
      disagreement,
      maxLagSeconds,
      balancesKnownAt,
      balanceRound,
      pendingReadAt,
    }: CursorMove,
    epoch: bigint,
  ): Promise<ChainProgress> {
    await this.leases.lockUntilCommit(watcherLeaseName(network), epoch);
    const head = blocks.at(-1) ?? from.head;
    // Moved before the blocks are stored, so that a second watcher waits here and then fails.
    const [row] = await this.database.queryInTransaction<CursorRow>(
      // A final block stays final, even if a lagging node reports a lower one.
      `UPDATE payments.chain_cursors c
       SET head_number = $4, head_hash = $5, head_time = $6, moved_at = clock_timestamp(),
           final_number = f.number, final_time = f.time, safe_number = ${newestTagged('c.safe_number', '$14')},
           finalized_number = ${newestTagged('c.finalized_number', '$15')}, max_lag_seconds = $9, balances_compared_at = $10,
           balance_round_to = $11, balance_round_began_at = $12, pending_read_at = $13, disagreement = $8,
           disagrees_since = CASE WHEN $8::text IS NOT NULL THEN COALESCE(c.disagrees_since, clock_timestamp()) END
       FROM (SELECT max(number) AS number, max(time) AS time FROM (
               SELECT number, time FROM payments.blocks
               WHERE network = $1 AND number = $7::bigint
               UNION ALL
               SELECT final_number, final_time FROM payments.chain_cursors WHERE network = $1) known) f
       WHERE c.network = $1 AND c.head_number = $2 AND c.head_hash = $3
       RETURNING ${PROGRESS_COLUMNS}`,
      [
        network,
        from.head.number,
        from.head.hash,
        head.number,
        head.hash,
        head.time,
        finalNumber,
        disagreement,
        maxLagSeconds,
        balancesKnownAt,
        balanceRound?.to ?? null,
        balanceRound?.beganAt ?? null,
        pendingReadAt,
        tagged.safe,
        tagged.finalized,
      ],
    );
    if (row === undefined) throw new CursorMoved(network);
    await this.storeBlocks(network, blocks);
    return toChainProgress(row);
  }

  /** The time up to which balances are known moves back too. */
  async rewind(network: string, from: Cursor, ancestor: Block, epoch: bigint): Promise<void> {
    await this.leases.lockUntilCommit(watcherLeaseName(network), epoch);
    const moved = await this.database.queryInTransaction(
      `UPDATE payments.chain_cursors
       SET head_number = $4, head_hash = $5, head_time = $6, moved_at = clock_timestamp(),
           balances_compared_at = CASE WHEN balances_compared_at > $6 THEN $6 ELSE balances_compared_at END,
           balance_round_to = NULL, balance_round_began_at = NULL,
           safe_number = CASE WHEN safe_number > $4 THEN $4 ELSE safe_number END,
           finalized_number = CASE WHEN finalized_number > $4 THEN $4 ELSE finalized_number END,
           final_time = CASE WHEN final_number > $4 THEN $6 ELSE final_time END,
           final_number = CASE WHEN final_number > $4 THEN $4 ELSE final_number END
       WHERE network = $1 AND head_number = $2 AND head_hash = $3 RETURNING network`,
      [network, from.head.number, from.head.hash, ancestor.number, ancestor.hash, ancestor.time],
    );
    if (moved.length === 0) throw new CursorMoved(network);
    await this.database.queryInTransaction(`DELETE FROM payments.blocks WHERE network = $1 AND number > $2`, [
      network,
      ancestor.number,
    ]);
  }

  async recordDisagreement(network: string, disagreement: string, epoch: bigint): Promise<void> {
    await this.leases.lockUntilCommit(watcherLeaseName(network), epoch);
    await this.database.queryInTransaction(
      `UPDATE payments.chain_cursors
       SET disagreement = $2, disagrees_since = COALESCE(disagrees_since, clock_timestamp()) WHERE network = $1`,
      [network, disagreement],
    );
  }

  async progress(networks: readonly string[]): Promise<Map<string, ChainProgress>> {
    const rows = await this.database.query<CursorRow & { network: string }>(
      `SELECT c.network, ${PROGRESS_COLUMNS} FROM payments.chain_cursors c WHERE c.network = ANY($1)`,
      [networks],
    );
    return new Map(rows.map((row) => [row.network, toChainProgress(row)]));
  }

  /** Needs neither a unit of work nor an epoch, because the watcher does not use these blocks. */
  async pruneBlocks(depth: number, limit: number): Promise<number> {
    return (await this.database.query(PRUNE_BLOCKS_SQL, [depth, limit])).length;
  }

  private async storeBlocks(network: string, blocks: readonly Block[]): Promise<void> {
    if (blocks.length === 0) return;
    await this.database.queryInTransaction(
      `INSERT INTO payments.blocks (network, number, hash, parent_hash, time, read_by)
       SELECT $1, * FROM UNNEST($2::bigint[], $3::text[], $4::text[], $5::timestamptz[], $6::text[])`,
      [
        network,
        blocks.map((block) => block.number),
        blocks.map((block) => block.hash),
        blocks.map((block) => block.parentHash),
        blocks.map((block) => block.time),
        blocks.map((block) => block.readBy ?? null),
      ],
    );
  }
}

function toBalanceRound({
  balanceRoundTo: to,
  balanceRoundBeganAt: beganAt,
}: CursorRow): BalanceComparisonRound | null {
  return to === null || beganAt === null ? null : { to, beganAt };
}

type ProgressRow = Pick<
  CursorRow,
  'headTime' | 'finalNumber' | 'finalTime' | 'safeNumber' | 'finalizedNumber'
>;

function toChainProgress({ headTime, finalNumber, ...row }: ProgressRow): ChainProgress {
  if (finalNumber === null) return { headTime, final: null };
  const { finalTime: time, safeNumber: safe, finalizedNumber: finalized } = row;
  return {
    headTime,
    final: { number: finalNumber, time: time!, safe: safe ?? -1, finalized: finalized ?? -1 },
  };
}
