import type { OrganizationId } from '#shared/kernel/ids.js';

export interface Actor {
  /** The operator's command, the key id of an API key, or a collaborator's e-mail address. */
  readonly actor: string;
  readonly address?: string | undefined;
}

/** Action in the form `noun.verb_in_the_past`. The audit log of the dashboard has words for each. */
export type AuditAction =
  | `account.${'created' | 'changed' | 'deleted' | 'books_currency_changed'}`
  | `authenticator.${'enrolled' | 'removed'}`
  | 'branding.changed'
  | `collaborator.${'joined' | 'changed'}`
  | `credential.${'created' | 'paired' | 'changed' | 'enabled' | 'disabled' | 'deleted' | 'revoked'}`
  | `invitation.${'sent' | 'withdrawn'}`
  | `mail_recipient.${'confirmed' | 'unsubscribed'}`
  | `mail_rule.${'created' | 'changed' | 'deleted' | 'channel_added' | 'channel_removed'}`
  | `organization.${'created' | 'changed' | 'approved'}`
  | `passkey.${'enrolled' | 'removed'}`
  | `password.${'changed' | 'reset'}`
  | `payment_link.${'created' | 'activated' | 'deactivated'}`
  | 'payment_request.accepted_as_paid'
  | `period.${'closed' | 'reopened'}`
  | `point_of_sale.${'created' | 'changed' | 'deleted'}`
  | 'recovery_codes.renewed'
  | `refund.${'created' | 'claim_replaced' | 'approved' | 'cancelled'}`
  | 'refund_basis.set'
  | `refund_float.${'allotted' | 'replaced' | 'withdrawn' | 'withdrawal_cancelled'}`
  | 'refund_limit.set'
  | `saved_filter.${'saved' | 'deleted'}`
  | 'settlement_terms.set'
  | `sign_in.${'passed' | 'refused'}`
  | `subscription.${'offered' | 'revoked'}`
  | `webhook.${'registered' | 'url_changed' | 'activated' | 'deactivated' | 'secret_rotated' | 'overlap_ended' | 'deleted'}`;

/** Contains no secrets, and no digest that could verify a secret. */
export interface AuditEntry extends Actor {
  readonly action: AuditAction;
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
  abstract hasEntry(subject: string, action: AuditAction, after: object, since: Date): Promise<boolean>;
}
