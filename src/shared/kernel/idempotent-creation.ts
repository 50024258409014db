import type { CredentialId } from './ids.js';

export interface StoredAnswer {
  readonly objectId: string | null;
  /** The answer as JSON, without secrets. */
  readonly answer: string;
}

export interface IdempotentExecution {
  readonly credentialId: CredentialId;
  readonly key: string;
  readonly operation: string;
  readonly requestDigest: Uint8Array;
  /** New for each execution of the same request. */
  readonly executionId: string;
  /** Time of the request by the database clock. */
  readonly at: Date;
}

export interface IdempotentCreation<Created> extends IdempotentExecution {
  answerOf(created: Created): StoredAnswer;
}

export interface AnsweredIdempotencyKey extends IdempotentExecution, StoredAnswer {}

export function toAnsweredIdempotencyKey<Created>(
  keyed: IdempotentCreation<Created>,
  created: Created,
): AnsweredIdempotencyKey {
  const { credentialId, key, operation, requestDigest, executionId, at } = keyed;
  return { credentialId, key, operation, requestDigest, executionId, at, ...keyed.answerOf(created) };
}

/** Another execution of the request is running or has stored its answer. This execution stored nothing. */
export class IdempotencyKeyTaken extends Error {}

export abstract class IdempotentCreations {
  /**
   * Stores the answer in the same unit of work. Never waits for another execution. @throws IdempotencyKeyTaken, and
   * stores nothing
   */
  abstract run<Created>(
    keyed: IdempotentCreation<Created> | undefined,
    work: () => Promise<Created>,
  ): Promise<Created>;

  /**
   * For work that has effects outside the database before it calls `run`. If the process is killed, the reservation
   * expires within seconds. @throws IdempotencyKeyTaken before `work` starts
   */
  abstract reserveDuring<Result>(
    keyed: IdempotentExecution | undefined,
    work: () => Promise<Result>,
  ): Promise<Result>;
}
