import type { CredentialId } from './ids.js';

/** The answer that a repeated creation request receives. */
export interface StoredAnswer {
  /** Id of the created object; null if it has no id. */
  readonly objectId: string | null;
  /** JSON, without secrets. */
  readonly answer: string;
}

export interface KeyUse {
  readonly credentialId: CredentialId;
  readonly key: string;
  /** Display name of the operation. */
  readonly operation: string;
  /** SHA-256 of the complete request. */
  readonly requestDigest: Uint8Array;
  /** Distinguishes two executions of the same request. */
  readonly executionId: string;
  /** Database clock. */
  readonly at: Date;
}

/** A creation with an idempotency key. Its answer is stored together with the created object. */
export interface KeyedCreation<Created> extends KeyUse {
  answerOf(created: Created): StoredAnswer;
}

/** A key with its answer, as stored. */
export interface AnsweredKey extends KeyUse, StoredAnswer {}

export function answeredKey<Created>(keyed: KeyedCreation<Created>, created: Created): AnsweredKey {
  const { credentialId, key, operation, requestDigest, executionId, at } = keyed;
  return { credentialId, key, operation, requestDigest, executionId, at, ...keyed.answerOf(created) };
}

/** Another execution holds the key or has stored an answer for it. This execution stored nothing. */
export class KeyTaken extends Error {}

export abstract class KeyedCreations {
  /**
   * Runs `work` and stores the key's answer in the same unit of work. Without a key, only runs `work`. Never waits for
   * another execution.
   * @throws KeyTaken, and stores nothing
   */
  abstract run<Created>(
    keyed: KeyedCreation<Created> | undefined,
    work: () => Promise<Created>,
  ): Promise<Created>;

  /**
   * Runs `work` while holding the key against other executions. For work that acts outside the database before it calls
   * `run`. Without a key, only runs `work`. The hold of a killed process expires within seconds.
   * @throws KeyTaken before `work` starts
   */
  abstract holdDuring<Result>(keyed: KeyUse | undefined, work: () => Promise<Result>): Promise<Result>;
}
