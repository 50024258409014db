import { getSchemaPath, type ApiResponseOptions } from '@nestjs/swagger';
import { formatAmount } from '#shared/kernel/amount.js';
import { namedSchema } from '#shared/platform/http/openapi/schema-names.js';
import { EXAMPLE_ASSET, IsUniqueAssetId } from '#shared/platform/http/validation/shared-fields.js';
import type { PaymentInstruction } from '#contexts/payments/application/checkout/resolve-payment-instruction.js';
import { CHECKOUT_EXAMPLE, SELECTED_CHECKOUT_EXAMPLE } from './checkout-examples.js';
import { toOrderMerchant } from '#contexts/payments/domain/requests/order.js';
import { OrderDto, presentOrder } from '../../requests/http/order.dto.js';

export class PaymentOptionQuery {
  @IsUniqueAssetId('Unique id of the asset to select. Must be one of the payment options.', {
    optional: true,
  })
  payment_option?: string;
}

/** NASPIP's field names. Amounts are in whole units, times in milliseconds. */
export function presentInstruction(asked: PaymentInstruction): object {
  const { session } = asked;
  const order = {
    ...presentOrder(session.order ?? { total: session.amount, coin_code: session.coinCode }),
    merchant: toOrderMerchant(session.merchant),
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

export const textField = (description: string, example?: string) => ({
  type: 'string',
  description,
  ...(example !== undefined && { example }),
});

const PAYMENT_SCHEMA = namedSchema('WalletPayment', {
  type: 'object',
  description: 'Payment instruction. Present once an asset is selected.',
  required: ['id', 'address', 'unique_asset_id', 'is_open', 'amount', 'expires_at'],
  properties: {
    id: { type: 'string', format: 'uuid', description: 'Id of the payment request.' },
    address: textField(
      'Address to send the payment to (EIP-55).',
      '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    ),
    unique_asset_id: textField('Unique id of the asset to pay in.', EXAMPLE_ASSET),
    is_open: { type: 'boolean', description: 'Whether the payer chooses the amount. Always false.' },
    amount: textField('Remaining amount, in whole units of the asset.', '13.520004'),
    expires_at: {
      type: 'integer',
      format: 'int64',
      description: 'End of the payment window, in Unix milliseconds.',
      example: 1_769_861_280_000,
    },
  },
});

/** One schema for both payloads, because many client languages have no union types. */
const PAYLOAD_SCHEMA = namedSchema('WalletPayload', {
  type: 'object',
  description:
    'NASPIP payload. If an asset is selected, it is the payment instruction (`payment`, `order`). Otherwise, ' +
    'it is the URL payload (`url`, `payment_options`, `order`).',
  required: ['order'],
  properties: {
    payment: PAYMENT_SCHEMA,
    url: {
      type: 'string',
      format: 'uri',
      description: 'URL to call with `payment_option` to select an asset. Absent if `payment` is present.',
      example: CHECKOUT_EXAMPLE.checkout_url,
    },
    payment_options: {
      type: 'array',
      items: { type: 'string' },
      description: 'Unique ids of the assets that the payer can select. Absent if `payment` is present.',
      example: [EXAMPLE_ASSET],
    },
    order: { $ref: getSchemaPath(OrderDto) },
  },
});

const EXAMPLE_ORDER = { ...CHECKOUT_EXAMPLE.order, merchant: CHECKOUT_EXAMPLE.merchant };

export const WALLET_PAYMENT_RESPONSE: ApiResponseOptions = {
  status: 200,
  description: 'NASPIP payment instruction, or the URL payload if no asset is selected.',
  content: {
    'application/json': {
      schema: PAYLOAD_SCHEMA,
      examples: {
        payment: {
          summary: 'Asset selected',
          value: {
            payment: {
              id: SELECTED_CHECKOUT_EXAMPLE.id,
              address: SELECTED_CHECKOUT_EXAMPLE.selected.address,
              unique_asset_id: SELECTED_CHECKOUT_EXAMPLE.selected.unique_asset_id,
              is_open: false,
              amount: SELECTED_CHECKOUT_EXAMPLE.selected.missing_amount,
              expires_at: Date.parse(SELECTED_CHECKOUT_EXAMPLE.expires_at),
            },
            order: EXAMPLE_ORDER,
          },
        },
        url: {
          summary: 'No asset selected',
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
