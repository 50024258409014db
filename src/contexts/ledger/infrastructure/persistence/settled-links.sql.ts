/** Whether the link `l` counts: its settlement has not failed. */
export const COUNTS = `NOT EXISTS (SELECT FROM ledger.status_changes c
  WHERE c.transaction_id = l.withdrawal_id AND c.status = 'failed')`;

/** Whether the transaction `t` is a settlement's own; other withdrawals are paid from a float. */
export const IS_SETTLEMENT = `t.type = 'withdraw' AND t.from_type = 'vault'`;
