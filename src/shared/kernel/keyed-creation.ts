import type { CredentialId } from './ids.js';

/** The answer that a repetition of a creation receives. */
export interface StoredAnswer {
  /** The id of what was created; null where that has no id. */
  readonly objectId: string | null;
  /** JSON, without secrets. */
  readonly answer: string;
}

/** The use of an idempotency key, which is scoped to a credential. */
export interface KeyUse {
  readonly credentialId: CredentialId;
  readonly key: string;
  /** The operation's name, for people. */
  readonly operation: string;
  /** SHA-256 of all that was asked for. */
  readonly requestDigest: Uint8Array;
  /** Distinguishes two executions of the same request. */
  readonly executionId: string;
  /** A time of the database's clock. */
  readonly at: Date;
}

/** A creation that its caller has named with an idempotency key: its answer is stored together with its object. */
export interface KeyedCreation<Created> extends KeyUse {
  answerOf(created: Created): StoredAnswer;
}

/** A key with its answer, as it is stored. */
export interface AnsweredKey extends KeyUse, StoredAnswer {}

export function answeredKey<Created>(keyed: KeyedCreation<Created>, created: Created): AnsweredKey {
  const { credentialId, key, operation, requestDigest, executionId, at } = keyed;
  return { credentialId, key, operation, requestDigest, executionId, at, ...keyed.answerOf(created) };
}

/** Another execution has the key, or has answered under it: nothing was stored. */
export class KeyTaken extends Error {}

export abstract class KeyedCreations {
  /**
   * Runs `work` in a unit of work that stores the key's answer too; without a key it only runs `work`. Never waits for
   * another execution.
   * @throws KeyTaken, and then nothing is stored
   */
  abstract run<Created>(
    keyed: KeyedCreation<Created> | undefined,
    work: () => Promise<Created>,
  ): Promise<Created>;

  /**
   * Runs `work`, which acts outside the database before it stores anything by `run`, while the key is held against other
   * executions; without a key it only runs `work`. The hold of a killed process lapses within seconds.
   * @throws KeyTaken before `work` is begun
   */
  abstract holdDuring<Result>(keyed: KeyUse | undefined, work: () => Promise<Result>): Promise<Result>;
}
