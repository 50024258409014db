import type { OrganizationId } from '#shared/kernel/ids.js';

export interface Actor {
  /** Who: the operator's command, or the key id of a credential. */
  readonly actor: string;
  /** That the caller's request came from; absent for the operator. */
  readonly address?: string | undefined;
}

/** A change that somebody made by hand. No secret and no digest that proves one enters it. */
export interface AuditEntry extends Actor {
  /** What, as `noun.verb_in_the_past`. */
  readonly action: string;
  readonly organizationId: OrganizationId;
  readonly subjectId: string;
  readonly before: object | null;
  /** All that an invariant compares with what is stored; null where the subject exists no more. */
  readonly after: object | null;
  readonly at: Date;
}

/** Append-only. An entry commits with the change it tells of, or not at all. */
export abstract class AuditLog {
  /** @throws outside a unit of work */
  abstract record(entry: AuditEntry): Promise<void>;
}
