import type { ExplanationDto } from './explanation.dto.js';
import {
  CREATED_PAYMENT_REQUEST_EXAMPLE,
  TRANSFER_EXAMPLE,
} from '../../requests/http/payment-request-examples.js';
import type { TransactionExplanationDto } from './transaction-explanation.dto.js';

const { amount, currency, unique_asset_id, network, address, expires_at } = CREATED_PAYMENT_REQUEST_EXAMPLE;
const { booked_as: _, ...NOT_BOOKED } = TRANSFER_EXAMPLE;

const NETWORK_READING_EXAMPLE = {
  network: 'erc20',
  read_to_block: 24_310_119,
  read_to_time: '2026-01-31T12:01:29.000Z',
  final_block: 24_310_108,
  final_time: '2026-01-31T11:59:17.000Z',
  behind_seconds: 11,
  is_behind: false,
};

export const UNDERPAID_EXPLANATION_EXAMPLE: ExplanationDto = {
  payment_request_id: CREATED_PAYMENT_REQUEST_EXAMPLE.id,
  point_of_sale_id: CREATED_PAYMENT_REQUEST_EXAMPLE.point_of_sale_id,
  reference_id: 'order-1042',
  status: 'processing',
  fulfilled: false,
  code: 'short_by',
  summary:
    '10 USDC of 12.5 USDC was received, 2.5 USDC is missing; transfers in a block by 2026-01-31 12:09:00 UTC count.',
  facts: {
    amount,
    currency,
    unique_asset_id,
    network,
    address,
    received_amount: '10',
    missing_amount: '2.5',
    confirmations: 3,
    required_confirmations: 12,
    expires_at,
    counts_until: '2026-01-31T12:09:00.000Z',
  },
  transfers: [
    {
      ...NOT_BOOKED,
      amount: '10',
      confirmations: 3,
      final: false,
      to: address,
      code: 'confirming',
      summary: '10 USDC in block 24310117 of erc20 counts and has 3 of 12 confirmations.',
    },
  ],
  networks: [NETWORK_READING_EXAMPLE],
};

export const TRANSACTION_EXPLANATION_EXAMPLE: TransactionExplanationDto = {
  transaction_hash: TRANSFER_EXAMPLE.transaction_hash!,
  code: 'received',
  summary: `This transaction paid payment request ${CREATED_PAYMENT_REQUEST_EXAMPLE.id}: ${UNDERPAID_EXPLANATION_EXAMPLE.transfers[0]!.summary}`,
  transfers: [
    {
      ...UNDERPAID_EXPLANATION_EXAMPLE.transfers[0]!,
      payment_request: {
        id: CREATED_PAYMENT_REQUEST_EXAMPLE.id,
        point_of_sale_id: CREATED_PAYMENT_REQUEST_EXAMPLE.point_of_sale_id,
        reference_id: 'order-1042',
        status: 'processing',
        code: 'short_by',
        summary: UNDERPAID_EXPLANATION_EXAMPLE.summary,
      },
    },
  ],
  unrecorded: [],
  networks: [NETWORK_READING_EXAMPLE],
};
