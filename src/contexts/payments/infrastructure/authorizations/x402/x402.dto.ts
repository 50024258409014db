import { getSchemaPath, type ApiResponseOptions } from '@nestjs/swagger';
import { namedSchema } from '#shared/platform/http/openapi/schema-names.js';
import {
  buildPaymentRequired,
  type X402Receipt,
} from '#contexts/payments/domain/authorizations/x402-payment.js';
import {
  PROCESSING_CHECKOUT_EXAMPLE,
  SELECTED_CHECKOUT_EXAMPLE,
} from '../../checkout/http/checkout-examples.js';
import { textField } from '../../checkout/http/wallet-payment-response.dto.js';
import { PublicCheckoutDto } from '../../requests/http/checkout.dto.js';
import { encodeX402Header } from './payment-headers.js';

const EXAMPLE_URL = `https://api.example/public/checkout/${SELECTED_CHECKOUT_EXAMPLE.session_id}/x402`;

const REQUIREMENTS = namedSchema('X402PaymentRequirements', {
  type: 'object',
  description: 'Payment terms that the service accepts (x402 `PaymentRequirements`).',
  required: ['scheme', 'network', 'amount', 'asset', 'payTo', 'maxTimeoutSeconds', 'extra'],
  properties: {
    scheme: { type: 'string', description: 'Payment scheme of x402.', enum: ['exact'] },
    network: textField('CAIP-2 id of the network: `eip155:` and the chain id.', 'eip155:1'),
    amount: textField('Remaining amount, in the smallest unit of the token.', '13520004'),
    asset: textField('Address of the token contract (EIP-55).', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'),
    payTo: textField(
      'Deposit address, used only for this checkout (EIP-55).',
      '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    ),
    maxTimeoutSeconds: {
      type: 'integer',
      minimum: 60,
      description:
        'Seconds for which the signature must be valid: the remaining payment window, at least 60.',
      example: 478,
    },
    extra: namedSchema('X402TokenDomain', {
      type: 'object',
      description: 'EIP-712 domain of the token, as its contract defines it.',
      required: ['assetTransferMethod', 'name', 'version'],
      properties: {
        assetTransferMethod: {
          type: 'string',
          description: 'Method that transfers the token.',
          enum: ['eip3009'],
        },
        name: textField('`name` of the EIP-712 domain.', 'USD Coin'),
        version: textField('`version` of the EIP-712 domain.', '2'),
      },
    }),
  },
});

const PAYMENT_REQUIRED_SCHEMA = namedSchema('X402PaymentRequired', {
  type: 'object',
  description:
    'x402 version 2 `PaymentRequired` object. The `PAYMENT-REQUIRED` header contains the same object without ' +
    '`errors`, encoded in base64.',
  required: ['x402Version', 'error', 'resource', 'accepts'],
  properties: {
    x402Version: { type: 'integer', description: 'Version of the x402 protocol.', enum: [2] },
    error: textField('Why payment is required, or why the payment was rejected.'),
    resource: namedSchema('X402Resource', {
      type: 'object',
      description: 'Resource that the payment pays for.',
      required: ['url', 'description', 'mimeType'],
      properties: {
        url: {
          type: 'string',
          format: 'uri',
          description: '`x402_url` of the checkout.',
          example: EXAMPLE_URL,
        },
        description: textField('Description of the order.', 'Table 7'),
        mimeType: textField('Media type of the response to a successful payment.', 'application/json'),
      },
    }),
    accepts: { type: 'array', description: 'Payment terms that the service accepts.', items: REQUIREMENTS },
    errors: {
      type: 'array',
      description:
        'Reasons why the service rejected the payment that was sent. Not part of the `PAYMENT-REQUIRED` header. ' +
        'Absent if no payment was sent.',
      items: { $ref: '#/components/schemas/FieldError' },
    },
  },
});

const REQUIRED_EXAMPLE = buildPaymentRequired({
  url: EXAMPLE_URL,
  description: 'Table 7',
  missing: 13_520_004n,
  address: SELECTED_CHECKOUT_EXAMPLE.selected.address,
  domain: {
    name: 'USD Coin',
    version: '2',
    chainId: 1,
    verifyingContract: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  },
  secondsLeft: 478,
});

const RECEIPT_EXAMPLE: X402Receipt = {
  success: true,
  transaction: '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
  network: 'eip155:1',
  payer: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  amount: '13520004',
};

const headerField = (description: string, value: object) => ({
  description,
  schema: { type: 'string' },
  example: encodeX402Header(value),
});

export const PAYMENT_REQUIRED_RESPONSE = {
  status: 402,
  description:
    'Payment required. The body contains what to pay and, if a payment was sent, why it was rejected.',
  headers: {
    'PAYMENT-REQUIRED': headerField('The body without `errors`, as base64-encoded JSON.', REQUIRED_EXAMPLE),
  },
  content: {
    'application/json': {
      schema: PAYMENT_REQUIRED_SCHEMA,
      examples: {
        required: { summary: 'No payment sent', value: REQUIRED_EXAMPLE },
        refused: {
          summary: 'Payment rejected',
          value: {
            ...REQUIRED_EXAMPLE,
            error: `PAYMENT-SIGNATURE.accepted.payTo: must be ${SELECTED_CHECKOUT_EXAMPLE.selected.address}.`,
            errors: [
              {
                field: 'PAYMENT-SIGNATURE.accepted.payTo',
                rule: 'pay_to',
                message: `must be ${SELECTED_CHECKOUT_EXAMPLE.selected.address}.`,
              },
            ],
          },
        },
      },
    },
  },
} as ApiResponseOptions;

export const PAID_RESPONSE = {
  status: 200,
  description:
    'Paid: the transfer is in a block. The body is the checkout session, not wrapped in `status` and `data`.',
  headers: {
    'PAYMENT-RESPONSE': headerField(
      'x402 version 2 `SettlementResponse`, as base64-encoded JSON.',
      RECEIPT_EXAMPLE,
    ),
  },
  content: {
    'application/json': {
      schema: { $ref: getSchemaPath(PublicCheckoutDto) },
      example: {
        ...PROCESSING_CHECKOUT_EXAMPLE,
        selected: {
          ...PROCESSING_CHECKOUT_EXAMPLE.selected,
          received_amount: '13.520004',
          missing_amount: '0',
        },
      },
    },
  },
} as ApiResponseOptions;
