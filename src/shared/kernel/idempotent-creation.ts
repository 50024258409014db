import type { CredentialId } from './ids.js';

export interface StoredAnswer {
  readonly objectId: string | null;
  /** The answer as JSON, without secrets. */
  readonly answer: string;
}

export interface IdempotencyKeyUse {
  readonly credentialId: CredentialId;
  readonly key: string;
  readonly operation: string;
  readonly requestDigest: Uint8Array;
  /** New for each execution of the same request. */
  readonly executionId: string;
  /** Time of the request by the database clock. */
  readonly at: Date;
}

export interface IdempotentCreation<Created> extends IdempotencyKeyUse {
  answerOf(created: Created): StoredAnswer;
}

export interface AnsweredIdempotencyKey extends IdempotencyKeyUse, StoredAnswer {}

export function toAnsweredIdempotencyKey<Created>(
  idempotency: IdempotentCreation<Created>,
  created: Created,
): AnsweredIdempotencyKey {
  const { credentialId, key, operation, requestDigest, executionId, at } = idempotency;
  return { credentialId, key, operation, requestDigest, executionId, at, ...idempotency.answerOf(created) };
}

/** Another execution of the request is running or has stored its answer. This execution stored nothing. */
export class IdempotencyKeyTaken extends Error {}

export abstract class IdempotentCreations {
  /**
   * Stores the answer in the same unit of work. Never waits for another execution. @throws IdempotencyKeyTaken, and
   * stores nothing
   */
  abstract run<Created>(
    idempotency: IdempotentCreation<Created> | undefined,
    work: () => Promise<Created>,
  ): Promise<Created>;

  /**
   * For work that has effects outside the database before it calls `run`. If the process is killed, the reservation
   * expires within seconds. @throws IdempotencyKeyTaken before `work` starts
   */
  abstract reserveDuring<Result>(
    idempotency: IdempotencyKeyUse | undefined,
    work: () => Promise<Result>,
  ): Promise<Result>;
}
