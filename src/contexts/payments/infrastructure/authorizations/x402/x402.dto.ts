import { getSchemaPath, type ApiResponseOptions } from '@nestjs/swagger';
import { namedSchema } from '#shared/platform/http/openapi/schema-names.js';
import { requiredBy, type X402Receipt } from '#contexts/payments/domain/authorizations/x402-payment.js';
import { PAYING_EXAMPLE, SELECTED_EXAMPLE } from '../../checkout/http/checkout-examples.js';
import { PublicCheckoutDto } from '../../requests/http/checkout.dto.js';
import { encodedHeader } from './payment-headers.js';

const text = (description: string) => ({ type: 'string', description });

const REQUIREMENTS = namedSchema('X402PaymentRequirements', {
  type: 'object',
  description: 'One way to pay.',
  required: ['scheme', 'network', 'amount', 'asset', 'payTo', 'maxTimeoutSeconds', 'extra'],
  properties: {
    scheme: { type: 'string', enum: ['exact'] },
    network: text('CAIP-2: `eip155:` and the chain id.'),
    amount: text('What is missing, in smallest units.'),
    asset: text('The token’s contract (EIP-55).'),
    payTo: text('The address of this checkout alone (EIP-55).'),
    maxTimeoutSeconds: {
      type: 'integer',
      minimum: 60,
      description:
        'What is left of the payer’s window, at least 60: for so long the signature is to be valid.',
    },
    extra: namedSchema('X402TokenDomain', {
      type: 'object',
      description: 'The token’s EIP-712 domain, as its contract has it.',
      required: ['assetTransferMethod', 'name', 'version'],
      properties: {
        assetTransferMethod: { type: 'string', enum: ['eip3009'] },
        name: { type: 'string' },
        version: { type: 'string' },
      },
    }),
  },
});

const PAYMENT_REQUIRED = namedSchema('X402PaymentRequired', {
  type: 'object',
  description: '`PaymentRequired` of x402 version 2, as the header `PAYMENT-REQUIRED` has it in base64.',
  required: ['x402Version', 'error', 'resource', 'accepts'],
  properties: {
    x402Version: { type: 'integer', enum: [2] },
    error: text('Why it is asked for, in a sentence.'),
    resource: namedSchema('X402Resource', {
      type: 'object',
      required: ['url', 'description', 'mimeType'],
      properties: {
        url: { type: 'string', format: 'uri', description: '`x402_url`.' },
        description: { type: 'string' },
        mimeType: { type: 'string' },
      },
    }),
    accepts: { type: 'array', items: REQUIREMENTS },
    errors: {
      type: 'array',
      description: 'What is wrong with the payment that was sent; not in the header.',
      items: { $ref: '#/components/schemas/FieldError' },
    },
  },
});

const REQUIRED_EXAMPLE = requiredBy({
  url: `https://api.example/public/checkout/${SELECTED_EXAMPLE.session_id}/x402`,
  description: 'Table 7',
  missing: 13_520_004n,
  address: SELECTED_EXAMPLE.selected.address,
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

const headerOf = (description: string, value: object) => ({
  description,
  schema: { type: 'string' },
  example: encodedHeader(value),
});

export const REQUIRED_BY_X402 = {
  status: 402,
  description: 'What is to be paid; after a payment that is not taken, with the reason.',
  headers: { 'PAYMENT-REQUIRED': headerOf('The body without `errors`: JSON in base64.', REQUIRED_EXAMPLE) },
  content: {
    'application/json': {
      schema: PAYMENT_REQUIRED,
      examples: {
        required: { summary: 'Nothing was sent.', value: REQUIRED_EXAMPLE },
        refused: {
          summary: 'The payment is not taken.',
          value: {
            ...REQUIRED_EXAMPLE,
            error: `PAYMENT-SIGNATURE.accepted.payTo: must be ${SELECTED_EXAMPLE.selected.address}.`,
            errors: [
              {
                field: 'PAYMENT-SIGNATURE.accepted.payTo',
                rule: 'pay_to',
                message: `must be ${SELECTED_EXAMPLE.selected.address}.`,
              },
            ],
          },
        },
      },
    },
  },
} as ApiResponseOptions;

export const PAID_BY_X402 = {
  status: 200,
  description: 'The transfer was seen. The session as its payer reads it, outside the envelope.',
  headers: {
    'PAYMENT-RESPONSE': headerOf('`SettlementResponse` of x402 version 2: JSON in base64.', RECEIPT_EXAMPLE),
  },
  content: {
    'application/json': {
      schema: { $ref: getSchemaPath(PublicCheckoutDto) },
      example: {
        ...PAYING_EXAMPLE,
        selected: { ...PAYING_EXAMPLE.selected, received_amount: '13.520004', missing_amount: '0' },
      },
    },
  },
} as ApiResponseOptions;
