import { Injectable } from '@nestjs/common';
import { DomainError } from '#shared/kernel/domain-error.js';
import { KeyTaken, type KeyedCreation, type KeyUse } from '#shared/kernel/keyed-creation.js';
import { IdempotencyKeys } from '../../idempotency/idempotency-keys.js';
import { refusal, ERROR_CODES } from '../errors/error-codes.js';
import type { KeyedRequest } from './idempotency-key.js';

/** The first request under the key is not answered yet. */
export class IdempotencyInProgress extends DomainError {
  readonly retryAfterSeconds = 1;

  constructor() {
    super('conflict', 'idempotency_in_progress', ERROR_CODES.idempotency_in_progress.sentence);
  }
}

/** Anything that is answered as an object; with an id where what was created has one. */
type AnswerBody = object & { readonly id?: string };

type Create<Created> = (keyed: KeyedCreation<Created> | undefined) => Promise<Created>;

/** Answers a creation once: a repetition under its key receives the stored answer and creates nothing. */
@Injectable()
export class IdempotentAnswers {
  /** Keys under which this process creates now: a repetition costs no statement and no place in a queue. */
  private readonly creating = new Set<string>();

  constructor(private readonly keys: IdempotencyKeys) {}

  /**
   * @param request undefined where the caller has sent no key: then it only creates and presents
   * @param create hands the creation on to the use case, which stores its answer by it
   * @param presentStored what a repetition is answered, where that is less: secrets are shown once and never stored
   * @throws idempotency_key_reused, idempotency_in_progress, and what `create` throws, which is not stored
   */
  async once<Created, Answer extends object>(
    request: KeyedRequest | undefined,
    present: (created: Created) => Answer,
    create: Create<Created>,
    presentStored: (created: Created) => AnswerBody = present,
  ): Promise<Answer> {
    if (request === undefined) return present(await create(undefined));
    const use = request.use();
    this.refuseDuring(use);
    // What is stored is replayed to any number at once: only a creation keeps others out.
    const earlier = await this.find(use);
    const answered = earlier ?? (await this.alone({ ...use, answerOf: stored(presentStored) }, create));
    if ('created' in answered) return present(answered.created);
    request.markReplayed();
    return JSON.parse(answered.answer) as Answer;
  }

  private refuseDuring(use: KeyUse): void {
    if (this.creating.has(nameOf(use))) throw new IdempotencyInProgress();
  }

  private async alone<Created>(keyed: KeyedCreation<Created>, create: Create<Created>) {
    this.refuseDuring(keyed);
    this.creating.add(nameOf(keyed));
    try {
      return await this.execute(keyed, create);
    } finally {
      this.creating.delete(nameOf(keyed));
    }
  }

  /** An execution that fails because another was first is answered like that one, whatever the failure. */
  private async execute<Created>(
    keyed: KeyedCreation<Created>,
    create: Create<Created>,
  ): Promise<{ created: Created } | { answer: string }> {
    try {
      return { created: await create(keyed) };
    } catch (error) {
      if (!(error instanceof KeyTaken) && !(error instanceof DomainError)) throw error;
      const first = await this.find(keyed);
      if (first !== undefined) return first;
      throw error instanceof KeyTaken ? new IdempotencyInProgress() : error;
    }
  }

  private async find(use: KeyUse): Promise<{ answer: string } | undefined> {
    const found = await this.keys.find(use);
    if (found === undefined) return undefined;
    if (Buffer.compare(found.requestDigest, use.requestDigest) !== 0) throw refusal('idempotency_key_reused');
    if (found.answer === null) throw new IdempotencyInProgress();
    return { answer: found.answer };
  }
}

function nameOf({ credentialId, key }: KeyUse): string {
  return `${credentialId} ${key}`;
}

function stored<Created>(present: (created: Created) => AnswerBody): KeyedCreation<Created>['answerOf'] {
  return (created) => {
    const body = present(created);
    return { objectId: body.id ?? null, answer: JSON.stringify(body) };
  };
}
