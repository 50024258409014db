import type { OrganizationId } from '#shared/kernel/ids.js';

export interface Actor {
  /** The operator's command, the key id of an API key, or a collaborator's e-mail address. */
  readonly actor: string;
  readonly address?: string | undefined;
}

/** Contains no secrets, and no digest that could verify a secret. */
export interface AuditEntry extends Actor {
  /** Action in the form `noun.verb_in_the_past`. */
  readonly action: string;
  readonly organizationId: OrganizationId;
  readonly subjectId: string;
  readonly before: object | null;
  /** Contains every value that the invariants compare; null if the subject was deleted. */
  readonly after: object | null;
  readonly at: Date;
}

/** Append-only. An entry commits in the same transaction as its change. */
export abstract class AuditLog {
  abstract record(entry: AuditEntry): Promise<void>;
  abstract hasEntry(subject: string, action: string, after: object, since: Date): Promise<boolean>;
}
