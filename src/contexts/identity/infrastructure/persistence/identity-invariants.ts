import type { Invariant } from '#shared/kernel/invariant.js';

export const identityInvariants: Invariant[] = [
  {
    name: 'organization-has-an-account',
    promise: 'Every organization has at least one account that is not deleted.',
    breaches: `SELECT o.id AS organization_id FROM identity.organizations o
      WHERE NOT EXISTS (SELECT FROM identity.accounts a WHERE a.organization_id = o.id AND a.deleted_at IS NULL)`,
  },
  {
    name: 'credential-account-is-its-organizations',
    promise: 'A credential that is limited to an account belongs to the organization of that account.',
    breaches: `SELECT c.id AS credential_id, c.account_id FROM identity.credentials c
      LEFT JOIN identity.accounts a ON a.id = c.account_id
      WHERE c.account_id IS NOT NULL AND a.organization_id IS DISTINCT FROM c.organization_id`,
  },
  {
    name: 'deleted-account-has-no-credential',
    promise: 'No credential is limited to a deleted account.',
    breaches: `SELECT c.id AS credential_id, c.account_id FROM identity.credentials c
      JOIN identity.accounts a ON a.id = c.account_id WHERE a.deleted_at IS NOT NULL`,
  },
  {
    name: 'credential-has-a-role',
    promise: 'Every credential has the role read, write or both.',
    breaches: `SELECT id AS credential_id, roles FROM identity.credentials
      WHERE cardinality(roles) = 0 OR NOT roles <@ ARRAY['read', 'write']`,
  },
  {
    name: 'credential-birth-is-audited',
    promise: 'The audit log contains the creation of every credential.',
    breaches: `SELECT c.id AS credential_id FROM identity.credentials c
      WHERE NOT EXISTS (
        SELECT FROM identity.audit_log l
        WHERE l.organization_id = c.organization_id AND l.subject_id = c.id AND l.action IN ('credential.created', 'credential.paired'))`,
  },
];

export const deviceInvariants: Invariant[] = [
  {
    name: 'device-is-of-its-cashier',
    promise: 'A device that a Cashier paired belongs to a person who is still a Cashier and may sign in.',
    breaches: `SELECT c.id AS credential_id FROM identity.credentials c JOIN identity.collaborators p ON p.id = c.paired_by
      WHERE c.paired_as = 'cashier' AND NOT (p.enabled AND p.role = 'cashier')`,
  },
];

const LATEST_CREDENTIAL_ENTRIES = `SELECT DISTINCT ON (subject_id) subject_id, organization_id, after
  FROM identity.audit_log WHERE action LIKE 'credential.%' ORDER BY subject_id, position DESC`;

export const auditInvariants: Invariant[] = [
  {
    name: 'credentials-are-as-audited',
    promise:
      'Every credential has the account, point of sale, roles, allowed addresses and state of its last audit entry. ' +
      'No credential is missing or additional.',
    breaches: `SELECT COALESCE(c.id, l.subject_id) AS credential_id
      FROM identity.credentials c
      FULL JOIN (${LATEST_CREDENTIAL_ENTRIES}) l ON l.subject_id = c.id
      WHERE (c.id IS NULL) IS DISTINCT FROM (l.after IS NULL)
        OR c.id IS NOT NULL AND ((c.organization_id, c.key_id, c.account_id::text, c.name, c.enabled, c.point_of_sale_id::text, c.paired_by::text,
              c.paired_as)
            IS DISTINCT FROM (l.organization_id, l.after ->> 'key_id', l.after ->> 'account_id', l.after ->> 'name',
              (l.after ->> 'enabled')::boolean, l.after ->> 'point_of_sale_id', l.after ->> 'paired_by', l.after ->> 'paired_as')
          OR to_jsonb(c.roles) IS DISTINCT FROM l.after -> 'roles'
          OR to_jsonb(c.allowed_addresses) IS DISTINCT FROM l.after -> 'allowed_ips')`,
  },
  {
    name: 'credential-secrets-are-as-audited',
    promise: 'The stored digest of each credential’s secret is the one recorded when the secret was issued.',
    // Entries without a fingerprint do not concern the secret.
    breaches: `SELECT c.id AS credential_id FROM identity.credentials c JOIN (
        SELECT DISTINCT ON (subject_id) subject_id, after ->> 'secret_fingerprint' AS fingerprint
        FROM identity.audit_log WHERE action LIKE 'credential.%' AND after ? 'secret_fingerprint'
        ORDER BY subject_id, position DESC) l ON l.subject_id = c.id
      WHERE encode(sha256(c.secret_digest), 'hex') <> l.fingerprint`,
  },
  {
    name: 'approvals-are-as-audited',
    promise: 'An organization is approved if and only if the audit log says so, with the same time.',
    breaches: `SELECT o.id AS organization_id FROM identity.organizations o
      LEFT JOIN (SELECT DISTINCT ON (subject_id) subject_id, after ->> 'approved_at' AS approved_at
        FROM identity.audit_log WHERE action = 'organization.approved' ORDER BY subject_id, position DESC) l
        ON l.subject_id = o.id
      WHERE o.approved_at IS DISTINCT FROM l.approved_at::timestamptz`,
  },
  {
    name: 'time-zones-are-as-audited',
    promise: 'Every organization has the time zone of its last audit entry, or UTC if there is none.',
    breaches: `SELECT o.id AS organization_id FROM identity.organizations o
      LEFT JOIN (SELECT DISTINCT ON (subject_id) subject_id, after ->> 'time_zone' AS time_zone
        FROM identity.audit_log WHERE action = 'organization.changed' ORDER BY subject_id, position DESC) l
        ON l.subject_id = o.id
      WHERE o.time_zone <> COALESCE(l.time_zone, 'UTC')`,
  },
  {
    name: 'underpayment-tolerances-are-as-audited',
    promise:
      'Every account has the underpayment tolerance of its last audit entry, or none if there is no entry.',
    breaches: `SELECT a.id AS account_id FROM identity.accounts a
      LEFT JOIN (SELECT DISTINCT ON (subject_id) subject_id, NULLIF(after -> 'underpayment_tolerance', 'null') AS tolerance
        FROM identity.audit_log WHERE action IN ('account.created', 'account.changed') ORDER BY subject_id, position DESC) l
        ON l.subject_id = a.id
      WHERE a.underpayment_tolerance IS DISTINCT FROM l.tolerance`,
  },
  {
    name: 'brandings-are-as-audited',
    promise:
      'Every account and every organization has the branding texts, color and logo of its last audit entry.',
    breaches: `SELECT COALESCE(b.account_id, b.organization_id, l.subject_id) AS subject_id FROM identity.brandings b
      FULL JOIN (SELECT DISTINCT ON (subject_id) subject_id, organization_id, after
        FROM identity.audit_log WHERE action = 'branding.changed' ORDER BY subject_id, position DESC) l
        ON l.subject_id = COALESCE(b.account_id, b.organization_id)
      WHERE (b.organization_id, b.display_name, b.tax_id, b.postal_address, b.colour, b.support, encode(b.logo_digest, 'hex'))
          IS DISTINCT FROM (l.organization_id, l.after ->> 'display_name', l.after ->> 'tax_id', l.after ->> 'postal_address',
            l.after ->> 'colour', l.after ->> 'support', l.after ->> 'logo_digest')
        OR b.logo_digest IS DISTINCT FROM sha256(b.logo)`,
  },
  {
    name: 'collaborators-are-as-audited',
    promise: 'Every collaborator has the email address, name, role and state of the last audit entry.',
    breaches: `SELECT c.id AS collaborator_id FROM identity.collaborators c
      LEFT JOIN (SELECT DISTINCT ON (subject_id) subject_id, organization_id, after
        FROM identity.audit_log WHERE action LIKE 'collaborator.%' ORDER BY subject_id, position DESC) l
        ON l.subject_id = c.id
      WHERE (c.organization_id, c.email, c.name, c.role, c.enabled) IS DISTINCT FROM
        (l.organization_id, l.after ->> 'email', l.after ->> 'name', l.after ->> 'role', (l.after ->> 'enabled')::boolean)`,
  },
  {
    name: 'collaborators-keep-a-factor',
    promise:
      'Every person who enrolled a second factor according to the audit log has an authenticator app or a passkey.',
    breaches: `SELECT c.id AS collaborator_id FROM identity.collaborators c
      WHERE EXISTS (SELECT FROM identity.audit_log l WHERE l.organization_id = c.organization_id AND l.subject_id = c.id
          AND l.action IN ('authenticator.enrolled', 'passkey.enrolled'))
        AND NOT EXISTS (SELECT FROM identity.authenticators a WHERE a.collaborator_id = c.id)
        AND NOT EXISTS (SELECT FROM identity.passkeys p WHERE p.collaborator_id = c.id)`,
  },
];
