import { EXAMPLE_ASSET } from '#shared/platform/http/validation/shared-fields.js';
import type { ChargeDto } from './charge.dto.js';
import type { SubscriptionDto, WalletSubscriptionDto } from './subscription.dto.js';

export const SUBSCRIPTION_OFFER_EXAMPLE: SubscriptionDto = {
  id: '0193b2f4-9e43-7a5f-8c6d-8e9f0a1b2c3d',
  status: 'pending',
  amount: '12.5',
  unique_asset_id: EXAMPLE_ASSET,
  currency: 'USDC',
  network: 'erc20',
  interval: 'P1M',
  reference_id: 'member-1042',
  next_charge_at: null,
  expires_at: '2026-02-01T12:00:00.000Z',
  url: 'https://pay.example/subscription/Zr0t8pJ5cVd2mQw7LxK1Ag',
  account_id: '0193b2f4-5f0f-7b2a-a13d-2c3d4e5f6071',
  point_of_sale_id: '0193b2f4-5f10-7c3b-b24e-3d4e5f607182',
  created_at: '2026-01-31T12:00:00.000Z',
  updated_at: '2026-01-31T12:00:00.000Z',
};

export const ACTIVE_SUBSCRIPTION_EXAMPLE: SubscriptionDto = {
  ...SUBSCRIPTION_OFFER_EXAMPLE,
  status: 'active',
  next_charge_at: '2026-02-28T12:05:00.000Z',
  expires_at: null,
  wallet_external_id: 'wallet-7d1f',
  wallet_id: '0193b2f4-a054-7b6a-9d7e-9f0a1b2c3d4e',
  updated_at: '2026-01-31T12:05:00.000Z',
};

export const REVOKED_SUBSCRIPTION_EXAMPLE: SubscriptionDto = {
  ...ACTIVE_SUBSCRIPTION_EXAMPLE,
  status: 'revoked',
  next_charge_at: null,
  revoked_by: 'merchant',
  updated_at: '2026-02-03T09:00:00.000Z',
};

export const WALLET_SUBSCRIPTION_EXAMPLE: WalletSubscriptionDto = {
  id: SUBSCRIPTION_OFFER_EXAMPLE.id,
  status: 'active',
  expires_at: null,
  next_charge_at: '2026-02-28T12:05:00.000Z',
  wallet_external_id: 'wallet-7d1f',
};

export const CHARGE_EXAMPLE: ChargeDto = {
  id: '0193b2f4-a165-7c7b-8e8f-0a1b2c3d4e5f',
  due_at: '2026-01-31T12:05:00.000Z',
  status: 'open',
  amount: '12.5',
  unique_asset_id: SUBSCRIPTION_OFFER_EXAMPLE.unique_asset_id,
  currency: 'USDC',
  network: 'erc20',
  closes_at: '2026-02-28T12:05:00.000Z',
  payment_request_id: '0193b2f4-a276-7d8c-9f90-1b2c3d4e5f60',
  payment_status: 'created',
  token: 'v4.public.eyJhIjoiMTIuNSJ9',
  address: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  received_amount: '0',
  hosted_checkout_url: 'https://pay.example/checkout/kq3v0n9Xw2d8Qb5tLr7YpA1sFhGjZcMe',
  expires_at: '2026-01-31T12:13:00.000Z',
};
