/**
 * The chart of accounts, kept once per merchant account and asset.
 * - `custody`: what the deposit addresses hold for the merchant.
 * - `in_flight`: what has left them in a block that is not final.
 * - `refund_float`: what the float holds, from which refunds are paid.
 * - `fees_delivered`: what the fee recipient has received.
 * - `merchant_payable`: what the service owes the merchant.
 * - `service_fees`: what the service has earned.
 * - `rounding`: the fees as booked less the fees as the chain took them.
 * - `gas_spent`: what sending from the float has cost, in the native asset.
 */
export const CHART_OF_ACCOUNTS = {
  custody: 'asset',
  in_flight: 'asset',
  refund_float: 'asset',
  fees_delivered: 'asset',
  merchant_payable: 'liability',
  service_fees: 'income',
  rounding: 'expense',
  gas_spent: 'expense',
} as const;

export type LedgerAccount = keyof typeof CHART_OF_ACCOUNTS;
