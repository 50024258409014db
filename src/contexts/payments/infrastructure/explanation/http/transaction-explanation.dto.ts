import { answer, Field, Uuid } from '#shared/platform/http/answers/answer.js';
import { formatAmount } from '#shared/kernel/amount.js';
import { addressForPeople } from '#contexts/networks/contract/address-spelling.js';
import type { RequestCode } from '#contexts/payments/application/explanation/explanation-view.js';
import type {
  AskedNetwork,
  NodeAnswer,
  RecordedPayment,
  TransactionCode,
  TransactionExplanation,
  UnrecordedPayment,
} from '#contexts/payments/application/explanation/transaction-view.js';
import type { PaymentRequestStatus } from '#contexts/payments/contract/payment-request-events.js';
import { STATUS } from '../../requests/http/checkout.dto.js';
import {
  ExplainedTransferDto,
  NetworkReadingDto,
  presentExplainedTransfer,
  presentReading,
  REQUEST_CODES,
} from './explanation.dto.js';

export class PaidRequestDto {
  @Uuid()
  id!: string;

  @Uuid()
  point_of_sale_id!: string;

  @Field({ required: false, example: 'order-1042' })
  reference_id?: string;

  @Field(STATUS)
  status!: PaymentRequestStatus;

  @Field({
    enum: REQUEST_CODES,
    enumName: 'ExplanationCode',
    description: 'As of the explanation of the payment request.',
  })
  code!: RequestCode;

  @Field({ description: 'The same in a sentence.' })
  summary!: string;
}

export class RecordedPaymentDto extends ExplainedTransferDto {
  @Field({ description: 'To whose address it was sent.' })
  payment_request!: PaidRequestDto;
}

export class UnrecordedPaymentDto {
  @Field({ description: 'Where it was sent.', example: 'polygon' })
  network!: string;

  @Field({ description: 'An address of yours (EIP-55).' })
  to!: string;

  @Field({ description: 'The token’s contract (EIP-55), or the native coin.' })
  token!: string;

  @Field({ required: false, description: 'Of an asset that can be collected here.' })
  unique_asset_id?: string;

  @Field({ required: false, example: 'USDC' })
  currency?: string;

  @Field({ required: false, description: 'In `currency`.', example: '12.5' })
  amount?: string;

  @Field({ description: 'In the token’s smallest unit.', example: '12500000' })
  smallest_units!: string;

  @Uuid({ description: 'For which the address was shown.' })
  payment_request_id!: string;

  @Uuid()
  point_of_sale_id!: string;

  @Field({ type: [String], description: 'The networks on which the address was shown.' })
  shown_on!: readonly string[];
}

export class NodeAnswerDto {
  @Field({
    enum: ['unknown', 'pending', 'included', 'reverted', 'no_answer'],
    enumName: 'NodeTransactionState',
    description:
      '`unknown`: it has no such transaction. `pending`: in no block yet. `included`: in a block. `reverted`: in a ' +
      'block, and moved nothing. `no_answer`: none within two seconds.',
  })
  transaction!: NodeAnswer['kind'];

  @Field({ required: false, type: 'integer' })
  block_number?: number;
}

export class AskedNetworkDto extends NetworkReadingDto {
  @Field({
    required: false,
    description: 'What a node of the network said just now; absent where none was asked.',
  })
  node?: NodeAnswerDto;
}

const CODES: TransactionCode[] = [
  ...(['received', 'not_read_yet', 'not_recorded', 'other_network', 'token_not_supported'] as const),
  ...(['to_nobody_here', 'pending', 'reverted', 'not_ours'] as const),
];

export class TransactionExplanationDto {
  @Field()
  transaction_hash!: string;

  @Field({
    enum: CODES,
    enumName: 'TransactionExplanationCode',
    description:
      '`received`: it paid addresses of yours, see `transfers`. `not_read_yet`: it did, in a block that is still to be ' +
      'read. `not_recorded`: it did, but was not found when its block was read. `other_network`: it paid an address of ' +
      'yours on a network on which that was not shown. `token_not_supported`: it paid one in a token that is not ' +
      'collected here. `to_nobody_here`: it is in a block and paid no address of yours. `pending`, `reverted`: as a node ' +
      'says. `not_ours`: no transfer of it to an address of yours was seen, and no node knows it.',
  })
  code!: TransactionCode;

  @Field({ description: 'The same in a sentence, for people.' })
  summary!: string;

  @Field({ type: [RecordedPaymentDto], description: 'To addresses of yours, as they were recorded.' })
  transfers!: RecordedPaymentDto[];

  @Field({
    type: [UnrecordedPaymentDto],
    description: 'To addresses of yours, as nodes tell; at most 100. They do not count.',
  })
  unrecorded!: UnrecordedPaymentDto[];

  @Field({
    type: [AskedNetworkDto],
    description: 'Those of the transfers; where there are none, all that are read here.',
  })
  networks!: AskedNetworkDto[];
}

export function presentTransaction(found: TransactionExplanation): TransactionExplanationDto {
  return answer(TransactionExplanationDto, found, {
    transaction_hash: found.hash,
    transfers: found.payments.map(presentPayment),
    unrecorded: found.unrecorded.map(presentUnrecorded),
    networks: found.networks.map(presentAsked),
  });
}

function presentPayment({ transfer, of }: RecordedPayment): RecordedPaymentDto {
  const { code, summary } = of;
  const request = answer(PaidRequestDto, { ...of.request, code, summary });
  return { ...presentExplainedTransfer(transfer), payment_request: request };
}

function presentUnrecorded({ asset, ...payment }: UnrecordedPayment): UnrecordedPaymentDto {
  const { amount, to, token } = payment;
  return answer(
    UnrecordedPaymentDto,
    { ...asset, ...payment },
    {
      to: addressForPeople(to),
      token: token.startsWith('0x') ? addressForPeople(token) : token,
      amount: asset && formatAmount(amount, asset.decimals),
      smallest_units: amount.toString(),
    },
  );
}

function presentAsked({ node, ...reading }: AskedNetwork): AskedNetworkDto {
  if (node === undefined) return presentReading(reading);
  const block = 'blockNumber' in node ? node.blockNumber : undefined;
  return { ...presentReading(reading), node: { transaction: node.kind, block_number: block } };
}
