import type { OrganizationId } from '#shared/kernel/ids.js';

export interface Actor {
  /** Operator command, key id, or e-mail address of a collaborator. */
  readonly actor: string;
  /** Network address of the request; absent for the operator. */
  readonly address?: string | undefined;
}

/** Contains no secrets, and no digest that could verify a secret. */
export interface AuditEntry extends Actor {
  /** Action in the form `noun.verb_in_the_past`. */
  readonly action: string;
  readonly organizationId: OrganizationId;
  readonly subjectId: string;
  readonly before: object | null;
  /** All values that an invariant compares with stored values; null if the subject was deleted. */
  readonly after: object | null;
  readonly at: Date;
}

/** Append-only. An entry commits in the same transaction as the change that it records. */
export abstract class AuditLog {
  /** @throws outside a unit of work */
  abstract record(entry: AuditEntry): Promise<void>;
  /** True if a matching entry was recorded since then. */
  abstract has(subject: string, action: string, after: object, since: Date): Promise<boolean>;
}
