import { EXAMPLE_ASSET } from '#shared/platform/http/validation/shared-fields.js';
import type { RefundDto } from './refund.dto.js';

export const REFUND_EXAMPLE: RefundDto = {
  id: '0193b2f4-8d32-7f4e-8b5c-7d8e9f0a1b2c',
  payment_request_id: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f',
  status: 'processing',
  paid_by: 'float',
  amount: '2.5',
  currency: 'USDC',
  network: 'erc20',
  unique_asset_id: EXAMPLE_ASSET,
  refund_to_address: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  reason: 'Returned goods',
  account_id: '0193b2f4-5f0f-7b2a-a13d-2c3d4e5f6071',
  created_at: '2026-01-31T13:00:00.000Z',
  updated_at: '2026-01-31T13:00:00.000Z',
};

const { refund_to_address: _, ...UNCLAIMED } = REFUND_EXAMPLE;

export const CLAIMABLE_REFUND_EXAMPLE: RefundDto = {
  ...UNCLAIMED,
  status: 'pending',
  claim_url: 'https://pay.example/refund/Zr0t8pJ5cVd2mQw7LxK1Ag',
  claim_expires_at: '2026-03-02T13:00:00.000Z',
};

export const COMPLETED_REFUND_EXAMPLE: RefundDto = {
  ...REFUND_EXAMPLE,
  status: 'completed',
  transaction_hash: '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
  updated_at: '2026-01-31T13:14:00.000Z',
};

export const CANCELLED_REFUND_EXAMPLE: RefundDto = {
  ...UNCLAIMED,
  status: 'failed',
  failure: 'The merchant cancelled the refund.',
  claim_expires_at: '2026-03-02T13:00:00.000Z',
};
