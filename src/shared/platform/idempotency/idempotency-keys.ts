import { Injectable } from '@nestjs/common';
import {
  toAnsweredIdempotencyKey,
  IdempotentCreations,
  IdempotencyKeyTaken,
  type AnsweredIdempotencyKey,
  type IdempotentCreation,
  type IdempotencyKeyUse,
} from '../../kernel/idempotent-creation.js';
import { BackgroundLoop } from '../background/background-loop.js';
import { BackgroundWork } from '../background/background-work.js';
import { Database } from '../database/database.js';
import {
  insertIdempotencyKeyStatement,
  LOCK_IDEMPOTENCY_KEY,
  FIND_IDEMPOTENCY_KEY,
  RESERVE_IDEMPOTENCY_KEY,
  PRUNE_IDEMPOTENCY_KEYS,
  RELEASE_IDEMPOTENCY_KEY,
  reserveKeyParameters,
} from './idempotency-keys.sql.js';

export interface StoredIdempotencyKey {
  readonly requestDigest: Uint8Array;
  readonly answer: string | null;
}

/** An advisory lock detects executions that still run, the unique index those that have finished. */
@Injectable()
export class IdempotencyKeys extends IdempotentCreations {
  constructor(private readonly database: Database) {
    super();
  }

  override run<Created>(
    idempotency: IdempotentCreation<Created> | undefined,
    work: () => Promise<Created>,
  ): Promise<Created> {
    if (idempotency === undefined) return work();
    return this.database.run(async () => {
      await this.claim(idempotency);
      const created = await work();
      await this.add(toAnsweredIdempotencyKey(idempotency, created));
      return created;
    });
  }

  override async reserveDuring<Result>(
    idempotency: IdempotencyKeyUse | undefined,
    work: () => Promise<Result>,
  ): Promise<Result> {
    if (idempotency === undefined) return work();
    const held = await this.database.query(RESERVE_IDEMPOTENCY_KEY, reserveKeyParameters(idempotency));
    if (held.length === 0) throw new IdempotencyKeyTaken();
    try {
      return await work();
    } catch (error) {
      // If releasing fails too, the reservation expires on its own.
      const release = [idempotency.credentialId, idempotency.key, idempotency.executionId];
      await this.database.query(RELEASE_IDEMPOTENCY_KEY, release).catch(() => undefined);
      throw error;
    }
  }

  async find({
    credentialId,
    key,
    executionId,
    at,
  }: IdempotencyKeyUse): Promise<StoredIdempotencyKey | undefined> {
    const values = [credentialId, key, executionId, at];
    const [row] = await this.database.query<{ requestDigest: Buffer; answer: string | null }>(
      FIND_IDEMPOTENCY_KEY,
      values,
    );
    return row && { requestDigest: row.requestDigest, answer: row.answer };
  }

  async prune(limit: number): Promise<number> {
    return (await this.database.query(PRUNE_IDEMPOTENCY_KEYS, [limit])).length;
  }

  private async claim({ credentialId, key, executionId, at }: IdempotencyKeyUse): Promise<void> {
    const [row] = await this.database.queryInTransaction<{ free: boolean }>(LOCK_IDEMPOTENCY_KEY, [
      credentialId,
      key,
      executionId,
      at,
    ]);
    if (!row!.free) throw new IdempotencyKeyTaken();
  }

  private async add(answered: AnsweredIdempotencyKey): Promise<void> {
    const stored = await this.database.queryInTransaction(...insertIdempotencyKeyStatement(answered));
    if (stored.length === 0) throw new IdempotencyKeyTaken();
  }
}

const PRUNE_INTERVAL_MS = 10_000;
export const MAX_PRUNED_IDEMPOTENCY_KEYS = 500;

/** Deletes expired keys in small steps and skips locked rows, so that several workers can do so concurrently. */
@Injectable()
export class PruneIdempotencyKeys extends BackgroundWork {
  constructor(keys: IdempotencyKeys) {
    const options = { name: 'pruning of idempotency keys', idleMs: PRUNE_INTERVAL_MS };
    const prune = async () => (await keys.prune(MAX_PRUNED_IDEMPOTENCY_KEYS)) === MAX_PRUNED_IDEMPOTENCY_KEYS;
    super([new BackgroundLoop(options, prune)]);
  }
}
