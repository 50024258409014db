import { Injectable } from '@nestjs/common';
import { DomainError } from '#shared/kernel/domain-error.js';
import {
  IdempotencyKeyTaken,
  type IdempotentCreation,
  type IdempotencyKeyUse,
} from '#shared/kernel/idempotent-creation.js';
import { IdempotencyKeys } from '../../idempotency/idempotency-keys.js';
import { refusalOfCode, ERROR_CODES } from '../errors/error-codes.js';
import type { IdempotentRequest } from './idempotency-key.js';

export class IdempotencyInProgress extends DomainError {
  readonly retryAfterSeconds = 1;

  constructor() {
    super('conflict', 'idempotency_in_progress', ERROR_CODES.idempotency_in_progress.sentence);
  }
}

type AnswerBody = object & { readonly id?: string };

type Create<Created> = (idempotency: IdempotentCreation<Created> | undefined) => Promise<Created>;

@Injectable()
export class IdempotentAnswers {
  /** Repetitions of a running creation are rejected without a database query. */
  private readonly creating = new Set<string>();

  constructor(private readonly keys: IdempotencyKeys) {}

  /**
   * Executes a creation once per key. @param create passes its argument to the use case, which stores the answer in
   * the same transaction @param presentStored the answer for repetitions, without secrets @throws
   * idempotency_key_reused, idempotency_in_progress, and errors of `create`, which are not stored
   */
  async answerOnce<Created, Answer extends object>(
    request: IdempotentRequest | undefined,
    present: (created: Created) => Answer,
    create: Create<Created>,
    presentStored: (created: Created) => AnswerBody = present,
  ): Promise<Answer> {
    if (request === undefined) return present(await create(undefined));
    const use = request.use();
    this.refuseDuring(use);
    // Any number of requests may read a stored answer concurrently. Only a running creation excludes other requests.
    const earlier = await this.find(use);
    const answered =
      earlier ?? (await this.runExclusively({ ...use, answerOf: storedAnswerOf(presentStored) }, create));
    if ('created' in answered) return present(answered.created);
    request.markReplayed();
    return JSON.parse(answered.answer) as Answer;
  }

  private refuseDuring(use: IdempotencyKeyUse): void {
    if (this.creating.has(nameOfKey(use))) throw new IdempotencyInProgress();
  }

  private async runExclusively<Created>(idempotency: IdempotentCreation<Created>, create: Create<Created>) {
    this.refuseDuring(idempotency);
    this.creating.add(nameOfKey(idempotency));
    try {
      return await this.execute(idempotency, create);
    } finally {
      this.creating.delete(nameOfKey(idempotency));
    }
  }

  /** If another execution has stored its answer first, returns that answer instead of a refusal. */
  private async execute<Created>(
    idempotency: IdempotentCreation<Created>,
    create: Create<Created>,
  ): Promise<{ created: Created } | { answer: string }> {
    try {
      return { created: await create(idempotency) };
    } catch (error) {
      if (!(error instanceof IdempotencyKeyTaken) && !(error instanceof DomainError)) throw error;
      const first = await this.find(idempotency);
      if (first !== undefined) return first;
      throw error instanceof IdempotencyKeyTaken ? new IdempotencyInProgress() : error;
    }
  }

  private async find(use: IdempotencyKeyUse): Promise<{ answer: string } | undefined> {
    const found = await this.keys.find(use);
    if (found === undefined) return undefined;
    if (Buffer.compare(found.requestDigest, use.requestDigest) !== 0)
      throw refusalOfCode('idempotency_key_reused');
    if (found.answer === null) throw new IdempotencyInProgress();
    return { answer: found.answer };
  }
}

function nameOfKey({ credentialId, key }: IdempotencyKeyUse): string {
  return `${credentialId} ${key}`;
}

function storedAnswerOf<Created>(
  present: (created: Created) => AnswerBody,
): IdempotentCreation<Created>['answerOf'] {
  return (created) => {
    const body = present(created);
    return { objectId: body.id ?? null, answer: JSON.stringify(body) };
  };
}
