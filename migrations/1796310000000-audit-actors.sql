SET LOCAL lock_timeout = '3s';

-- The page of a payment names the person who accepted an underpayment.
CREATE OR REPLACE VIEW identity.public_audit_log AS
  SELECT position, at, action, organization_id, subject_id, after, actor FROM identity.audit_log;
