SET LOCAL lock_timeout = '3s';

-- Part of the context's contract: what invariants of other contexts compare their rows with.
CREATE VIEW identity.public_audit_log AS
  SELECT position, at, action, organization_id, subject_id, after FROM identity.audit_log;

-- Part of the context's contract: the terms that deposit addresses commit to.
CREATE VIEW point_of_sale.public_settlement_terms AS
  SELECT id, organization_id, account_id, network, settlement_address, fee_recipient, fee_basis_points
  FROM point_of_sale.settlement_terms;

-- What was not audited before is recorded as it is today.
INSERT INTO identity.audit_log (at, actor, action, organization_id, subject_id, after)
SELECT platform.now(), 'migration', 'settlement_terms.recorded', organization_id, id,
  jsonb_build_object('account_id', account_id, 'network', network, 'settlement_address', settlement_address,
    'fee_recipient', fee_recipient, 'fee_basis_points', fee_basis_points)
FROM point_of_sale.settlement_terms ORDER BY number;

INSERT INTO identity.audit_log (at, actor, action, organization_id, subject_id, after)
SELECT platform.now(), 'migration', 'webhook.recorded', organization_id, id,
  jsonb_build_object('account_id', account_id, 'url', url, 'event_type', event_type)
FROM webhooks.webhooks WHERE deleted_at IS NULL ORDER BY id;

INSERT INTO identity.audit_log (at, actor, action, organization_id, subject_id, after)
SELECT platform.now(), 'migration', 'credential.recorded', organization_id, id,
  jsonb_build_object('key_id', key_id, 'account_id', account_id, 'name', name, 'roles', roles,
    'allowed_ips', allowed_addresses, 'enabled', enabled,
    'secret_fingerprint', encode(sha256(secret_digest), 'hex'))
FROM identity.credentials ORDER BY id;

-- Written by hand and rarely, so the table is small.
CREATE INDEX audit_log_of_subject ON identity.audit_log (subject_id, position);
