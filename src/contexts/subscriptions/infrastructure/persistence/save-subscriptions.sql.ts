/** Returns a row for each subscription, but does not write unchanged rows. */
export const UPDATE_SUBSCRIPTIONS = `
WITH t AS (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS t (id uuid, status text, "walletId" uuid, "acceptedAt" timestamptz,
    "firstDueAt" timestamptz, "nextNumber" int, "nextChargeAt" timestamptz, "revokedBy" text, "nextStepAt" timestamptz,
    "updatedAt" timestamptz)
), changed AS (
  UPDATE subscriptions.subscriptions s SET status = t.status, wallet_id = t."walletId", accepted_at = t."acceptedAt",
    first_due_at = t."firstDueAt", next_number = t."nextNumber", next_charge_at = t."nextChargeAt",
    revoked_by = t."revokedBy", next_step_at = t."nextStepAt", updated_at = t."updatedAt"
  FROM t WHERE s.id = t.id
    AND (s.status, s.wallet_id, s.accepted_at, s.first_due_at, s.next_number, s.next_charge_at, s.revoked_by,
      s.next_step_at, s.updated_at) IS DISTINCT FROM
    (t.status, t."walletId", t."acceptedAt", t."firstDueAt", t."nextNumber", t."nextChargeAt", t."revokedBy",
      t."nextStepAt", t."updatedAt")
)
SELECT s.id FROM subscriptions.subscriptions s JOIN t USING (id)`;

export const APPEND_STATUS_HISTORY_SQL = `
INSERT INTO subscriptions.status_history (subscription_id, step, status, at)
SELECT t.id, COALESCE((SELECT max(step) FROM subscriptions.status_history h WHERE h.subscription_id = t.id), 0)
    + row_number() OVER (PARTITION BY t.id ORDER BY t.n), t.status, t.at
FROM jsonb_to_recordset($1::jsonb) AS t (id uuid, n int, status text, at timestamptz)`;

export const SAVE_CHARGES = `
INSERT INTO subscriptions.charges AS c (id, subscription_id, organization_id, account_id, number, due_at, closes_at, status,
  next_try, counted_tries, missed_at, paid_at)
SELECT id, "subscriptionId", "organizationId", "accountId", number, "dueAt", "closesAt", status, "nextTry", "countedTries",
  "missedAt", "paidAt"
FROM jsonb_to_recordset($1::jsonb) AS t (id uuid, "subscriptionId" uuid, "organizationId" uuid, "accountId" uuid, number int,
  "dueAt" timestamptz, "closesAt" timestamptz, status text, "nextTry" smallint, "countedTries" smallint,
  "missedAt" timestamptz, "paidAt" timestamptz)
ON CONFLICT (id) DO UPDATE SET status = excluded.status, next_try = excluded.next_try,
  counted_tries = excluded.counted_tries, missed_at = excluded.missed_at, paid_at = excluded.paid_at
WHERE (c.status, c.next_try, c.counted_tries, c.missed_at, c.paid_at) IS DISTINCT FROM
  (excluded.status, excluded.next_try, excluded.counted_tries, excluded.missed_at, excluded.paid_at)`;

export const SAVE_CHARGE_REQUESTS = `
INSERT INTO subscriptions.charge_requests AS r (payment_request_id, charge_id, subscription_id, organization_id, account_id,
  attempt, status, window_cut, planned_at)
SELECT id, "chargeId", "subscriptionId", "organizationId", "accountId", attempt, status, "windowCut", "plannedAt"
FROM jsonb_to_recordset($1::jsonb) AS t (id uuid, "chargeId" uuid, "subscriptionId" uuid, "organizationId" uuid,
  "accountId" uuid, attempt smallint, status text, "windowCut" boolean, "plannedAt" timestamptz)
ON CONFLICT (payment_request_id) DO UPDATE SET status = excluded.status, window_cut = excluded.window_cut
WHERE (r.status, r.window_cut) IS DISTINCT FROM (excluded.status, excluded.window_cut)`;
