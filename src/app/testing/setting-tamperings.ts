import { OTHER, type Tampering } from './tampering.js';

export const settingTamperings: readonly Tampering[] = [
  {
    name: 'settlement address of terms',
    sql: `UPDATE point_of_sale.settlement_terms SET settlement_address = ${OTHER} WHERE network = 'polygon'`,
    reportedBy: ['settlement-terms-are-as-audited'],
  },
  {
    name: 'settlement terms, inserted',
    sql: `INSERT INTO point_of_sale.settlement_terms (id, organization_id, network, settlement_address, fee_recipient, fee_basis_points, set_by, created_at)
      SELECT gen_random_uuid(), organization_id, network, ${OTHER}, fee_recipient, 100, set_by, created_at FROM point_of_sale.settlement_terms LIMIT 1;
      UPDATE point_of_sale.terms_versions SET version = version + 1`,
    reportedBy: ['settlement-terms-are-as-audited'],
  },
  {
    name: 'roles of a credential',
    sql: `UPDATE identity.credentials SET roles = '{read,write}'`,
    reportedBy: ['credentials-are-as-audited'],
  },
  {
    name: 'allowed addresses of a credential',
    sql: `UPDATE identity.credentials SET allowed_addresses = '{}'`,
    reportedBy: ['credentials-are-as-audited'],
  },
  {
    name: 'account of a credential',
    sql: `UPDATE identity.credentials SET account_id = (SELECT id FROM identity.accounts WHERE external_id = 'branch')`,
    reportedBy: ['credentials-are-as-audited'],
  },
  {
    name: 'secret of a credential',
    sql: `UPDATE identity.credentials SET secret_digest = sha256('known')`,
    reportedBy: ['credential-secrets-are-as-audited'],
  },
  {
    name: 'credential, erased',
    sql: 'DELETE FROM identity.credentials',
    reportedBy: ['credentials-are-as-audited'],
  },
  {
    name: 'underpayment tolerance of an account',
    sql: `UPDATE identity.accounts SET underpayment_tolerance = '{"basisPoints": 500, "atMost": "1000"}'`,
    reportedBy: ['underpayment-tolerances-are-as-audited'],
  },
  {
    name: 'tax id of an account, inserted',
    sql: `INSERT INTO identity.brandings (organization_id, account_id, tax_id, updated_at)
      SELECT organization_id, id, 'DE1', now() FROM identity.accounts LIMIT 1`,
    reportedBy: ['brandings-are-as-audited'],
  },
  {
    name: 'approval',
    sql: 'UPDATE identity.organizations SET approved_at = now()',
    reportedBy: ['approvals-are-as-audited'],
  },
  {
    name: 'time zone of an organization',
    sql: `UPDATE identity.organizations SET time_zone = 'Asia/Tokyo'`,
    reportedBy: ['time-zones-are-as-audited'],
  },
  {
    name: 'URL of a webhook',
    sql: `UPDATE webhooks.webhooks SET url = 'https://other.example'`,
    reportedBy: ['webhooks-are-as-audited'],
  },
  {
    name: 'audit entries of a credential, erased',
    sql: `DELETE FROM identity.audit_log WHERE action = 'credential.created'`,
    reportedBy: ['credential-birth-is-audited', 'credentials-are-as-audited'],
  },
  {
    name: 'head of a network',
    sql: `UPDATE payments.chain_cursors SET head_time = head_time + interval '1 hour' WHERE network = 'sandbox'`,
    reportedBy: ['cursors-are-of-stored-blocks', 'nothing-stays-past-its-deadline'],
  },
  {
    name: 'finality of a network',
    sql: `UPDATE payments.chain_cursors SET final_time = head_time WHERE network = 'sandbox'`,
    reportedBy: ['cursors-are-of-stored-blocks'],
  },
  {
    name: 'time of a stored block',
    sql: `UPDATE payments.blocks SET time = time + interval '2 minutes' WHERE network = 'sandbox' AND number = 3`,
    reportedBy: ['block-times-follow-numbers'],
  },
  {
    name: 'clock',
    sql: `UPDATE platform.clock_offset SET value = interval '1 second'`,
    reportedBy: ['clock-is-not-moved'],
  },
  {
    name: 'decimals of a request',
    sql: `UPDATE payments.payment_requests SET decimals = 8 WHERE reference_id = 'open'`,
    reportedBy: [
      'asked-amounts-match-events',
      'decimals-are-of-the-catalogue',
      'one-decimals-for-each-asset',
    ],
  },
];
