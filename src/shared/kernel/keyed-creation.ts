import type { CredentialId } from './ids.js';

/** The stored answer of a creation, which repetitions of the request with the same idempotency key receive. */
export interface StoredAnswer {
  /** Id of the created object; null if the object has no id. */
  readonly objectId: string | null;
  /** The answer as JSON, without secrets. */
  readonly answer: string;
}

export interface KeyedExecution {
  readonly credentialId: CredentialId;
  readonly key: string;
  readonly operation: string;
  readonly requestDigest: Uint8Array;
  /** New for each execution, so that two executions of the same request can be told apart. */
  readonly executionId: string;
  /** Time of the request by the database clock. */
  readonly at: Date;
}

/** A creation with an idempotency key. Its answer is stored in the same transaction as the created object. */
export interface KeyedCreation<Created> extends KeyedExecution {
  answerOf(created: Created): StoredAnswer;
}

/** An idempotency key together with its stored answer. */
export interface AnsweredKey extends KeyedExecution, StoredAnswer {}

export function toAnsweredKey<Created>(keyed: KeyedCreation<Created>, created: Created): AnsweredKey {
  const { credentialId, key, operation, requestDigest, executionId, at } = keyed;
  return { credentialId, key, operation, requestDigest, executionId, at, ...keyed.answerOf(created) };
}

/** Another execution of the request is running or has stored its answer. This execution stored nothing. */
export class IdempotencyKeyTaken extends Error {}

export abstract class KeyedCreations {
  /**
   * Runs `work` and stores its answer under the idempotency key in the same unit of work. Without a key, only runs
   * `work`. Never waits for another execution.
   * @throws IdempotencyKeyTaken, and stores nothing
   */
  abstract run<Created>(
    keyed: KeyedCreation<Created> | undefined,
    work: () => Promise<Created>,
  ): Promise<Created>;

  /**
   * Reserves the idempotency key, so that no other execution can start, and then runs `work`. For work that has effects
   * outside the database before it calls `run`. Without a key, only runs `work`. If the process is killed, the
   * reservation expires within seconds.
   * @throws IdempotencyKeyTaken before `work` starts
   */
  abstract holdDuring<Result>(
    keyed: KeyedExecution | undefined,
    work: () => Promise<Result>,
  ): Promise<Result>;
}
