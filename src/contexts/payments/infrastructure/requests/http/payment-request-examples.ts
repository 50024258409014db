import { EXAMPLE_ASSET } from '#shared/platform/http/validation/shared-fields.js';
import type { PaymentRequestDto, PaymentRequestProgressDto } from './payment-request.dto.js';
import type { TransferDto } from './transfer.dto.js';

export const CREATED_PAYMENT_REQUEST_EXAMPLE: PaymentRequestDto = {
  id: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f',
  type: 'fixed',
  status: 'created',
  fulfilled: false,
  token: 'naspip;pay.example;key-2026;v4.public.…',
  amount: '12.5',
  currency: 'USDC',
  unique_asset_id: EXAMPLE_ASSET,
  network: 'erc20',
  address: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  reference_id: 'order-1042',
  order: { total: '12.50', coin_code: 'USDC', description: 'Table 7' },
  point_of_sale_id: '0193b2f4-6a1b-7d2c-8e3f-1b5c6d7e8f90',
  account_id: '0193b2f4-5f0f-7b2a-a13d-2c3d4e5f6071',
  expires_at: '2026-01-31T12:08:00.000Z',
  expiration: 1_769_861_280,
  created_at: '2026-01-31T12:00:00.000Z',
};

export const ENDED_PAYMENT_REQUEST_EXAMPLE: PaymentRequestProgressDto = {
  ...CREATED_PAYMENT_REQUEST_EXAMPLE,
  received_amount: '0',
  transfers: [],
  deposits: [],
  status_history: [{ status: 'created', at: '2026-01-31T12:00:00.000Z' }],
  expires_at: '2026-01-31T12:02:30.000Z',
  expiration: 1_769_860_950,
  refunds: [],
};

export const TRANSFER_EXAMPLE: TransferDto = {
  kind: 'log',
  transaction_hash: '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
  amount: '12.5',
  currency: 'USDC',
  unique_asset_id: EXAMPLE_ASSET,
  network: 'erc20',
  from: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  block_number: 24_310_117,
  block_time: '2026-01-31T12:01:05.000Z',
  confirmations: 12,
  required_confirmations: 12,
  final: true,
  counted: true,
  booked_as: 'payment_in',
  detected_at: '2026-01-31T12:01:10.000Z',
};

export const PAID_PAYMENT_REQUEST_EXAMPLE: PaymentRequestProgressDto = {
  ...CREATED_PAYMENT_REQUEST_EXAMPLE,
  status: 'completed',
  fulfilled: true,
  received_amount: '12.5',
  transfers: [TRANSFER_EXAMPLE],
  deposits: [],
  status_history: [
    { status: 'created', at: '2026-01-31T12:00:00.000Z' },
    { status: 'processing', at: '2026-01-31T12:01:10.000Z' },
    { status: 'completed', at: '2026-01-31T12:03:40.000Z' },
    { status: 'confirmed', at: '2026-01-31T12:03:40.250Z' },
  ],
  confirmed_at: '2026-01-31T12:03:40.250Z',
  settlement_id: '0193b320-11aa-7c3d-8e4f-5a6b7c8d9e0f',
  refunds: [],
};
