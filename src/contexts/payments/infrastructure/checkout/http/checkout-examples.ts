import { ApiParam } from '@nestjs/swagger';
import type { ErrorCode } from '#shared/platform/http/errors/error-codes.js';
import { EXAMPLE_ASSET } from '#shared/platform/http/validation/shared-fields.js';
import type { CheckoutDto, PublicCheckoutDto } from '../../requests/http/checkout.dto.js';
import type { PaymentOptionDto, SelectedAssetDto } from '../../requests/http/payment-option.dto.js';

export const CHECKOUT_EXAMPLE: CheckoutDto = {
  id: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f',
  session_id: 'q6V1mT0sY3bXc8ZkLr2NwEuJhD4aGfPo',
  type: 'fixed',
  status: 'pending',
  fulfilled: false,
  token: 'naspip;pay.example;key-2026;v4.public.…',
  checkout_url: 'https://api.example/public/checkout/q6V1mT0sY3bXc8ZkLr2NwEuJhD4aGfPo/payment',
  x402_url: 'https://api.example/public/checkout/q6V1mT0sY3bXc8ZkLr2NwEuJhD4aGfPo/x402',
  hosted_checkout_url: 'https://pay.example/checkout/q6V1mT0sY3bXc8ZkLr2NwEuJhD4aGfPo',
  amount: '12.5',
  coin_code: 'EUR',
  payment_options: [
    {
      unique_asset_id: EXAMPLE_ASSET,
      network: 'erc20',
      symbol: 'USDC',
      amount: '13.520004',
    },
    {
      unique_asset_id: 'nerc20_t0xdAC17F958D2ee523a2206206994597C13D831ec7',
      network: 'erc20',
      symbol: 'USDT',
      amount: '13.520823',
    },
  ],
  order: { total: '12.50', coin_code: 'EUR', description: 'Table 7' },
  merchant: { name: 'Corner Coffee' },
  return_url: 'https://shop.example/thanks',
  expires_at: '2026-01-31T12:08:00.000Z',
  expiration: 1_769_861_280,
  reference_id: 'order-1042',
};

const { reference_id: _, ...PENDING } = CHECKOUT_EXAMPLE;
const [USDC, USDT] = PENDING.payment_options as [PaymentOptionDto, PaymentOptionDto];

export const PENDING_CHECKOUT_EXAMPLE: PublicCheckoutDto = PENDING;

export const SELECTED_CHECKOUT_EXAMPLE: PublicCheckoutDto & { readonly selected: SelectedAssetDto } = {
  ...PENDING,
  status: 'created',
  selected: {
    ...USDC,
    amount: '13.520004',
    address: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    received_amount: '0',
    missing_amount: '13.520004',
    confirmations: 0,
    required_confirmations: 64,
    rate: { price: '0.924556', sources: ['coinbase', 'kraken'], at: '2026-01-31T12:00:20.000Z' },
  },
};

export const PROCESSING_CHECKOUT_EXAMPLE: PublicCheckoutDto = {
  ...SELECTED_CHECKOUT_EXAMPLE,
  status: 'processing',
  payment_options: [
    USDC,
    { unique_asset_id: USDT.unique_asset_id, network: USDT.network, symbol: USDT.symbol },
  ],
  selected: {
    ...SELECTED_CHECKOUT_EXAMPLE.selected,
    received_amount: '10',
    missing_amount: '3.520004',
    confirmations: 3,
    transaction_hash: '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
  },
};

export const ApiCheckoutSessionId = () =>
  ApiParam({
    name: 'sessionId',
    type: String,
    description:
      'Id of the checkout session. Anyone with the id can read and pay the session, so treat it as a secret.',
  });

export const PUBLIC_PAYMENT_ERROR_CODES: readonly ErrorCode[] = [
  'not_found',
  'state_conflict',
  'settlement_address_missing',
  'rate_unavailable',
  'unavailable',
  'rate_limited',
];
