import type { Payment } from '../../src/session-data.js';

export const PAYMENT_SESSION_ID = 'payses_01';
export const PAYMENT_REQUEST_ID = '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f';
export const POINT_OF_SALE_ID = '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e90';

/** Payment of a session of 12.50 EUR, with a requested amount of 13.520004 USDC. */
export function aPayment(
  status: string,
  { received = '0', ...more }: { received?: string; [field: string]: unknown } = {},
): Payment {
  const selected = {
    unique_asset_id: 'usdc',
    symbol: 'USDC',
    amount: '13.520004',
    received_amount: received,
  };
  return {
    id: PAYMENT_REQUEST_ID,
    status,
    fulfilled: ['completed', 'overpaid'].includes(status),
    reference_id: PAYMENT_SESSION_ID,
    amount: '12.5',
    coin_code: 'EUR',
    currency: 'USDC',
    expires_at: '2026-01-31T12:08:00.000Z',
    received_amount: received,
    refunds: [],
    deposits: [],
    selected,
    ...more,
  } as unknown as Payment;
}
