import type { ApiResponseOptions } from '@nestjs/swagger';
import { formatAmount } from '../../../../shared/kernel/amount.js';
import { Text } from '../../../../shared/platform/http/field-rules.js';
import type { PaymentAsked } from '../../application/ask-for-payment.js';
import { presentMerchant } from './checkout-presenter.js';

export class WalletQuery {
  @Text({
    max: 128,
    optional: true,
    description: 'Unique asset id of the option that the payer chose.',
    example: 'nerc20_t0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  })
  payment_option?: string;
}

/** In NASPIP's own words and names (instruction payload and URL payload); amounts in whole units, times in milliseconds. */
export function presentInstruction(asked: PaymentAsked): object {
  const { session } = asked;
  const order = {
    ...(session.order ?? { total: session.amount, coin_code: session.coinCode }),
    merchant: session.order?.merchant ?? presentMerchant(session.merchant),
  };
  if ('url' in asked) return { url: asked.url, payment_options: session.paymentOptions, order };
  const { address, uniqueAssetId, decimals } = asked.selected;
  return {
    payment: {
      id: session.id,
      address,
      unique_asset_id: uniqueAssetId,
      is_open: false,
      amount: formatAmount(asked.missing, decimals),
      expires_at: session.expiresAt.getTime(),
    },
    order,
  };
}

const ORDER = {
  type: 'object',
  description: 'The NASPIP order: total, coin_code, description, merchant, items.',
};

export const WALLET_ANSWER: ApiResponseOptions = {
  status: 200,
  description: 'A NASPIP instruction, or the URL payload while nothing is selected.',
  content: {
    'application/json': {
      schema: {
        oneOf: [
          {
            type: 'object',
            required: ['payment'],
            properties: {
              payment: {
                type: 'object',
                required: ['id', 'address', 'unique_asset_id', 'is_open', 'amount', 'expires_at'],
                properties: {
                  id: { type: 'string' },
                  address: { type: 'string' },
                  unique_asset_id: { type: 'string' },
                  is_open: { type: 'boolean', enum: [false] },
                  amount: { type: 'string' },
                  expires_at: { type: 'integer', description: 'Unix milliseconds.' },
                },
              },
              order: ORDER,
            },
          },
          {
            type: 'object',
            required: ['url', 'payment_options'],
            properties: {
              url: { type: 'string', format: 'uri' },
              payment_options: { type: 'array', items: { type: 'string' } },
              order: ORDER,
            },
          },
        ],
      },
      example: {
        payment: {
          id: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f',
          address: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
          unique_asset_id: 'nerc20_t0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
          is_open: false,
          amount: '13.52',
          expires_at: 1769861280000,
        },
        order: { total: '12.50', coin_code: 'EUR', merchant: { name: 'Corner Coffee' } },
      },
    },
  },
};
