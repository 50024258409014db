import type { Invariant } from '#shared/kernel/invariant.js';

export const webhookAuditInvariants: Invariant[] = [
  {
    name: 'webhooks-are-as-audited',
    promise:
      'Every webhook is of the account, hears of the events and has the URL of its last audit entry; those that were ' +
      'deleted are, and no others.',
    breaches: `SELECT COALESCE(w.id, l.subject_id) AS webhook_id
      FROM (SELECT * FROM webhooks.webhooks WHERE deleted_at IS NULL) w
      FULL JOIN (SELECT DISTINCT ON (subject_id) subject_id, organization_id, after
        FROM identity.public_audit_log WHERE action LIKE 'webhook.%' ORDER BY subject_id, position DESC) l
        ON l.subject_id = w.id
      WHERE (w.id IS NULL) IS DISTINCT FROM (l.after IS NULL)
        OR w.id IS NOT NULL AND (w.organization_id, w.account_id::text, w.url, w.event_type)
          IS DISTINCT FROM (l.organization_id, l.after ->> 'account_id', l.after ->> 'url', l.after ->> 'event_type')`,
  },
];
