/**
 * The chart of accounts, kept once per merchant account and asset. `custody`: what the deposit addresses hold for
 * the merchant. `merchant_payable`: what the service owes the merchant. `service_fees`: what the service has earned.
 */
export const CHART_OF_ACCOUNTS = {
  custody: 'asset',
  merchant_payable: 'liability',
  service_fees: 'income',
} as const;

export type LedgerAccount = keyof typeof CHART_OF_ACCOUNTS;
