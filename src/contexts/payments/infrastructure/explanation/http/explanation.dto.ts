import { ApiProperty } from '@nestjs/swagger';
import { formatAmount } from '#shared/kernel/amount.js';
import type {
  ExplainedTransfer,
  Facts,
  RequestCode,
  RequestExplanation,
  TransferCode,
} from '#contexts/payments/application/explanation/explanation-view.js';
import type { PaymentRequestStatus } from '#contexts/payments/contract/payment-request-events.js';
import { TRANSITIONS } from '#contexts/payments/domain/requests/status.js';
import { NetworkReadingDto, presentReading } from './network-reading.dto.js';
import { presentTransfer, TransferDto } from '../../requests/http/transfer.dto.js';
import { DEPOSIT_REASONS } from '#contexts/payments/domain/requests/booking/deposit-reason-rule.js';

const TRANSFER_CODES: TransferCode[] = [
  ...(['confirming', 'awaiting_agreement', 'counted'] as const),
  ...DEPOSIT_REASONS,
  'reversed',
];

export const REQUEST_CODES: RequestCode[] = [
  ...(['asset_not_selected', 'unseen', 'network_behind', 'short_by', 'confirming'] as const),
  ...(['awaiting_agreement', 'completed', 'overpaid_by', 'underpaid_by', 'expired_unpaid'] as const),
  ...DEPOSIT_REASONS,
  ...(['failed', 'reversed'] as const),
];

export class ExplainedTransferDto extends TransferDto {
  @ApiProperty({ description: 'The deposit address that it was sent to (EIP-55).' })
  to!: string;

  @ApiProperty({
    enum: TRANSFER_CODES,
    enumName: 'TransferExplanationCode',
    description: 'What became of it. `counted`: final and part of what was received.',
  })
  code!: TransferCode;

  @ApiProperty({ description: 'The same in a sentence.' })
  summary!: string;
}

/** The summary in fields. Amounts are in `currency`. */
export class ExplanationFactsDto {
  @ApiProperty({ required: false, description: 'Asked for.', example: '12.5' })
  amount?: string;

  @ApiProperty({ required: false, example: 'USDC' })
  currency?: string;

  @ApiProperty({ required: false, example: 'nerc20_t0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48' })
  unique_asset_id?: string;

  @ApiProperty({ required: false, example: 'erc20' })
  network?: string;

  @ApiProperty({ required: false, description: 'Deposit address (EIP-55).' })
  address?: string;

  @ApiProperty({ description: 'Sum of the counted transfers, final or not.', example: '12.5' })
  received_amount!: string;

  @ApiProperty({ required: false, description: 'How much less than asked for.', example: '2.5' })
  missing_amount?: string;

  @ApiProperty({ required: false, description: 'How much more than asked for.', example: '0.5' })
  excess_amount?: string;

  @ApiProperty({
    required: false,
    type: 'integer',
    description: 'The fewest of a transfer that counts and is not final.',
  })
  confirmations?: number;

  @ApiProperty({ required: false, type: 'integer', description: 'From then on it is final.' })
  required_confirmations?: number;

  @ApiProperty({ format: 'date-time' })
  expires_at!: string;

  @ApiProperty({ required: false, format: 'date-time', description: 'The last block timestamp that counts.' })
  counts_until?: string;
}

export class ExplanationDto {
  @ApiProperty({ format: 'uuid' })
  payment_request_id!: string;

  @ApiProperty({ format: 'uuid' })
  point_of_sale_id!: string;

  @ApiProperty({ required: false, example: 'order-1042' })
  reference_id?: string;

  @ApiProperty({ enum: Object.keys(TRANSITIONS), enumName: 'PaymentRequestStatus' })
  status!: PaymentRequestStatus;

  @ApiProperty({
    enum: REQUEST_CODES,
    enumName: 'ExplanationCode',
    description: 'Why it is or is not paid. Where several reasons hold, the one to act on.',
  })
  code!: RequestCode;

  @ApiProperty({ description: 'The same in a sentence, for people.' })
  summary!: string;

  @ApiProperty()
  facts!: ExplanationFactsDto;

  @ApiProperty({ type: [ExplainedTransferDto], description: 'As of the payment request; at most 100.' })
  transfers!: ExplainedTransferDto[];

  @ApiProperty({ type: [NetworkReadingDto], description: 'Those on which an address was shown.' })
  networks!: NetworkReadingDto[];
}

export function presentExplanation(explained: RequestExplanation): ExplanationDto {
  const { request, code, summary, facts, transfers } = explained;
  return {
    payment_request_id: request.id,
    point_of_sale_id: request.pointOfSaleId,
    reference_id: request.referenceId,
    status: request.status,
    code,
    summary,
    facts: presentFacts(facts),
    transfers: transfers.map(presentExplainedTransfer),
    networks: request.networks.map(presentReading),
  };
}

export function presentExplainedTransfer(transfer: ExplainedTransfer): ExplainedTransferDto {
  const { to, code, summary } = transfer;
  return { ...presentTransfer(transfer), to, code, summary };
}

function presentFacts({ asked, ...facts }: Facts): ExplanationFactsDto {
  const inAsset = (amount: bigint) => formatAmount(amount, asked?.decimals ?? 0);
  const ifKnown = (amount: bigint | undefined) => (amount === undefined ? undefined : inAsset(amount));
  return {
    amount: ifKnown(asked?.amount),
    currency: asked?.currency,
    unique_asset_id: asked?.uniqueAssetId,
    network: asked?.network,
    address: asked?.address,
    received_amount: inAsset(facts.receivedAmount),
    missing_amount: ifKnown(facts.missingAmount),
    excess_amount: ifKnown(facts.excessAmount),
    confirmations: facts.confirmations,
    required_confirmations: facts.requiredConfirmations,
    expires_at: facts.expiresAt.toISOString(),
    counts_until: asked?.countsUntil.toISOString(),
  };
}
