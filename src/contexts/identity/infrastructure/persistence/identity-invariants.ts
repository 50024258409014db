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
    promise: 'A credential of one account and that account belong to the same organization.',
    breaches: `SELECT c.id AS credential_id, c.account_id FROM identity.credentials c
      LEFT JOIN identity.accounts a ON a.id = c.account_id
      WHERE c.account_id IS NOT NULL AND a.organization_id IS DISTINCT FROM c.organization_id`,
  },
  {
    name: 'deleted-account-has-no-credential',
    promise: 'No credential acts for an account that is deleted.',
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
    promise: 'Every credential that exists has been written to the audit log when it was created.',
    breaches: `SELECT c.id AS credential_id FROM identity.credentials c
      WHERE NOT EXISTS (
        SELECT FROM identity.audit_log l
        WHERE l.organization_id = c.organization_id AND l.subject_id = c.id AND l.action = 'credential.created')`,
  },
];
