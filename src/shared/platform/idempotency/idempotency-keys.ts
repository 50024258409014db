import { Injectable } from '@nestjs/common';
import {
  toAnsweredKey,
  KeyedCreations,
  IdempotencyKeyTaken,
  type AnsweredKey,
  type KeyedCreation,
  type KeyedExecution,
} from '../../kernel/keyed-creation.js';
import { BackgroundLoop } from '../background/background-loop.js';
import { BackgroundWork } from '../background/background-work.js';
import { Database } from '../database/database.js';
import {
  addKey,
  CLAIM_KEY,
  FIND_KEY,
  HOLD_KEY,
  PRUNE_KEYS,
  RELEASE_KEY,
  holdParameters,
} from './idempotency-keys.sql.js';

export interface FoundKey {
  readonly requestDigest: Uint8Array;
  readonly answer: string | null;
}

/** An advisory lock detects executions that still run, the unique index those that have finished. */
@Injectable()
export class IdempotencyKeys extends KeyedCreations {
  constructor(private readonly database: Database) {
    super();
  }

  override run<Created>(
    keyed: KeyedCreation<Created> | undefined,
    work: () => Promise<Created>,
  ): Promise<Created> {
    if (keyed === undefined) return work();
    return this.database.run(async () => {
      await this.claim(keyed);
      const created = await work();
      await this.add(toAnsweredKey(keyed, created));
      return created;
    });
  }

  override async holdDuring<Result>(
    keyed: KeyedExecution | undefined,
    work: () => Promise<Result>,
  ): Promise<Result> {
    if (keyed === undefined) return work();
    const held = await this.database.query(HOLD_KEY, holdParameters(keyed));
    if (held.length === 0) throw new IdempotencyKeyTaken();
    try {
      return await work();
    } catch (error) {
      // If releasing fails too, the reservation expires on its own.
      const release = [keyed.credentialId, keyed.key, keyed.executionId];
      await this.database.query(RELEASE_KEY, release).catch(() => undefined);
      throw error;
    }
  }

  async find({ credentialId, key, executionId, at }: KeyedExecution): Promise<FoundKey | undefined> {
    const values = [credentialId, key, executionId, at];
    const [row] = await this.database.query<{ requestDigest: Buffer; answer: string | null }>(
      FIND_KEY,
      values,
    );
    return row && { requestDigest: row.requestDigest, answer: row.answer };
  }

  async prune(limit: number): Promise<number> {
    return (await this.database.query(PRUNE_KEYS, [limit])).length;
  }

  private async claim({ credentialId, key, executionId, at }: KeyedExecution): Promise<void> {
    const [row] = await this.database.queryInTransaction<{ free: boolean }>(CLAIM_KEY, [
      credentialId,
      key,
      executionId,
      at,
    ]);
    if (!row!.free) throw new IdempotencyKeyTaken();
  }

  private async add(answered: AnsweredKey): Promise<void> {
    const stored = await this.database.queryInTransaction(...addKey(answered));
    if (stored.length === 0) throw new IdempotencyKeyTaken();
  }
}

const PRUNE_INTERVAL_MS = 10_000;
export const MAX_KEYS_PER_PRUNE = 500;

/** Deletes expired keys in small steps and skips locked rows, so that several workers can do so concurrently. */
@Injectable()
export class PruneIdempotencyKeys extends BackgroundWork {
  constructor(keys: IdempotencyKeys) {
    const options = { name: 'pruning of idempotency keys', idleMs: PRUNE_INTERVAL_MS };
    const prune = async () => (await keys.prune(MAX_KEYS_PER_PRUNE)) === MAX_KEYS_PER_PRUNE;
    super([new BackgroundLoop(options, prune)]);
  }
}
