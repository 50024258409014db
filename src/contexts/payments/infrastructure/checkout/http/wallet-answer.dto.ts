import { getSchemaPath, type ApiResponseOptions } from '@nestjs/swagger';
import { formatAmount } from '#shared/kernel/amount.js';
import { namedSchema } from '#shared/platform/http/openapi/schema-names.js';
import { UniqueAssetId } from '#shared/platform/http/validation/shared-fields.js';
import type { PaymentInstruction } from '#contexts/payments/application/checkout/resolve-payment-token.js';
import { CHECKOUT_EXAMPLE, SELECTED_EXAMPLE } from './checkout-examples.js';
import { orderMerchant } from '#contexts/payments/domain/requests/order.js';
import { OrderDto, presentOrder } from '../../requests/http/order.dto.js';

export class WalletQuery {
  @UniqueAssetId({ optional: true, description: 'Unique asset id of the option that the payer chose.' })
  payment_option?: string;
}

/** Presents NASPIP's instruction payload or URL payload in its own names; amounts in whole units, times in milliseconds. */
export function presentInstruction(asked: PaymentInstruction): object {
  const { session } = asked;
  const order = {
    ...presentOrder(session.order ?? { total: session.amount, coin_code: session.coinCode }),
    merchant: orderMerchant(session.merchant),
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

const PAYMENT = namedSchema('WalletPayment', {
  type: 'object',
  description: 'Once an asset is selected.',
  required: ['id', 'address', 'unique_asset_id', 'is_open', 'amount', 'expires_at'],
  properties: {
    id: { type: 'string', format: 'uuid', description: 'The payment request.' },
    address: { type: 'string', description: 'Where to (EIP-55).' },
    unique_asset_id: { type: 'string' },
    is_open: { type: 'boolean', description: 'Whether the payer names the amount: never.' },
    amount: { type: 'string', description: 'Still missing, in whole units of the asset.' },
    expires_at: { type: 'integer', format: 'int64', description: 'Unix milliseconds.' },
  },
});

/** One object for both payloads: clients of many languages cannot take one of two. */
const PAYLOAD = namedSchema('WalletPayload', {
  type: 'object',
  description:
    'The NASPIP instruction payload (`payment`, `order`) once an asset is selected, before that the URL payload (`url`, ' +
    '`payment_options`, `order`).',
  required: ['order'],
  properties: {
    payment: PAYMENT,
    url: { type: 'string', format: 'uri', description: 'Ask here with `payment_option`; with no `payment`.' },
    payment_options: {
      type: 'array',
      items: { type: 'string' },
      description: 'Unique asset ids; with no `payment`.',
    },
    order: { $ref: getSchemaPath(OrderDto) },
  },
});

const EXAMPLE_ORDER = {
  ...CHECKOUT_EXAMPLE.order,
  merchant: CHECKOUT_EXAMPLE.merchant,
};

export const WALLET_ANSWER: ApiResponseOptions = {
  status: 200,
  description: 'A NASPIP instruction, or the URL payload while nothing is selected.',
  content: {
    'application/json': {
      schema: PAYLOAD,
      examples: {
        payment: {
          summary: 'An asset is selected.',
          value: {
            payment: {
              id: SELECTED_EXAMPLE.id,
              address: SELECTED_EXAMPLE.selected.address,
              unique_asset_id: SELECTED_EXAMPLE.selected.unique_asset_id,
              is_open: false,
              amount: SELECTED_EXAMPLE.selected.missing_amount,
              expires_at: Date.parse(SELECTED_EXAMPLE.expires_at),
            },
            order: EXAMPLE_ORDER,
          },
        },
        url: {
          summary: 'Nothing is selected yet.',
          value: {
            url: CHECKOUT_EXAMPLE.checkout_url,
            payment_options: CHECKOUT_EXAMPLE.payment_options.map(({ unique_asset_id: id }) => id),
            order: EXAMPLE_ORDER,
          },
        },
      },
    },
  },
};
