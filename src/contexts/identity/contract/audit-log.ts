import type { OrganizationId } from '#shared/kernel/ids.js';

export interface Actor {
  /** The operator's command, the key id of a credential, or the e-mail address of a collaborator. */
  readonly actor: string;
  /** The address that the caller's request came from; absent for the operator. */
  readonly address?: string | undefined;
}

/** A change that a person or credential made. It holds no secret, and no digest that proves one. */
export interface AuditEntry extends Actor {
  /** The act, spelled `noun.verb_in_the_past`. */
  readonly action: string;
  readonly organizationId: OrganizationId;
  readonly subjectId: string;
  readonly before: object | null;
  /** All values that an invariant compares with stored ones; null where the subject is deleted. */
  readonly after: object | null;
  readonly at: Date;
}

/** Append-only. An entry commits with the change that it records, or not at all. */
export abstract class AuditLog {
  /** @throws outside a unit of work */
  abstract record(entry: AuditEntry): Promise<void>;
  /** True where an entry with these values was recorded since then. */
  abstract has(subject: string, action: string, after: object, since: Date): Promise<boolean>;
}
