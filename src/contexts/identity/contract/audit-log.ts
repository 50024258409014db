import type { OrganizationId } from '#shared/kernel/ids.js';

export interface Actor {
  /** The operator's command, the key id of an API key, or a collaborator's e-mail address. */
  readonly actor: string;
  /** IP address of the request; absent for the operator. */
  readonly address?: string | undefined;
}

/** A change to record. Contains no secrets, and no digest that could be used to verify a secret. */
export interface AuditEntry extends Actor {
  /** Action in the form `noun.verb_in_the_past`. */
  readonly action: string;
  readonly organizationId: OrganizationId;
  readonly subjectId: string;
  readonly before: object | null;
  /** Must contain every value that the invariants compare with stored rows; null if the subject was deleted. */
  readonly after: object | null;
  readonly at: Date;
}

/** Append-only log of changes. An entry commits in the same transaction as the change that it records. */
export abstract class AuditLog {
  /** @throws outside a unit of work */
  abstract record(entry: AuditEntry): Promise<void>;
  /** True if an entry with this subject, action and new state was recorded since the given time. */
  abstract hasEntry(subject: string, action: string, after: object, since: Date): Promise<boolean>;
}
