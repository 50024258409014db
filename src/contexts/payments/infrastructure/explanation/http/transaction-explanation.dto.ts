import { answerFromView, AnswerField, UuidField } from '#shared/platform/http/answers/answer.js';
import { formatAmount } from '#shared/kernel/amount.js';
import { toDisplayAddress } from '#contexts/networks/contract/address-spelling.js';
import type { RequestExplanationCode } from '#contexts/payments/application/explanation/explanation-view.js';
import type {
  QueriedNetwork,
  NodeAnswer,
  RecordedPayment,
  TransactionExplanationCode,
  TransactionExplanation,
  UnrecordedPayment,
} from '#contexts/payments/application/explanation/transaction-view.js';
import type { PaymentRequestStatus } from '#contexts/payments/contract/payment-request-events.js';
import { STATUS_FIELD } from '../../requests/http/checkout.dto.js';
import {
  ExplainedTransferDto,
  presentExplainedTransfer,
  EXPLANATION_CODE_DESCRIPTION,
  REQUEST_EXPLANATION_CODES,
} from './explanation.dto.js';
import { NetworkReadingDto, presentNetworkReading } from './explanation-facts.dto.js';

export class PaidRequestDto {
  @UuidField('Id of the payment request.')
  id!: string;

  @UuidField('Id of the point of sale.', { example: '0193b2f4-6a1b-7d2c-8e3f-1b5c6d7e8f90' })
  point_of_sale_id!: string;

  @AnswerField('Your own order id. Absent if you sent none.', { required: false, example: 'order-1042' })
  reference_id?: string;

  @AnswerField(STATUS_FIELD)
  status!: PaymentRequestStatus;

  @AnswerField(EXPLANATION_CODE_DESCRIPTION, { enum: REQUEST_EXPLANATION_CODES, enumName: 'ExplanationCode' })
  code!: RequestExplanationCode;

  @AnswerField('The meaning of `code` in this case, as a sentence for people.', {
    example:
      '10 USDC of 12.5 USDC was received, 2.5 USDC is missing; transfers in a block by 2026-01-31 ' +
      '12:09:00 UTC count.',
  })
  summary!: string;
}

export class RecordedPaymentDto extends ExplainedTransferDto {
  @AnswerField('Payment request to whose address the transfer was sent.')
  payment_request!: PaidRequestDto;
}

export class UnrecordedPaymentDto {
  @AnswerField('Id of the network on which the transfer was sent.', { example: 'polygon' })
  network!: string;

  @AnswerField('Your address that received the transfer (EIP-55).', {
    example: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  })
  to!: string;

  @AnswerField('Address of the token contract (EIP-55), or `native` for the native coin of the network.', {
    example: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
  })
  token!: string;

  @AnswerField('Unique id of the asset. Absent if this service does not collect the token.', {
    required: false,
    example: 'npolygon_t0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
  })
  unique_asset_id?: string;

  @AnswerField('Symbol of the asset. Absent if this service does not collect the token.', {
    required: false,
    example: 'USDC',
  })
  currency?: string;

  @AnswerField('Amount in whole units of `currency`. Absent if this service does not collect the token.', {
    required: false,
    example: '12.5',
  })
  amount?: string;

  @AnswerField('Amount in the smallest unit of the token.', { example: '12500000' })
  smallest_units!: string;

  @UuidField('Id of the payment request that the address belongs to.')
  payment_request_id!: string;

  @UuidField('Id of the point of sale.', { example: '0193b2f4-6a1b-7d2c-8e3f-1b5c6d7e8f90' })
  point_of_sale_id!: string;

  @AnswerField('Ids of the networks for which the payer was given the address.', {
    type: [String],
    example: ['erc20'],
  })
  shown_on!: readonly string[];
}

export class NodeAnswerDto {
  @AnswerField(
    'State of the transaction according to the node. `unknown`: the node does not know the transaction. ' +
      '`pending`: the transaction is not in a block yet. `included`: it is in a block. `reverted`: it is in a ' +
      'block, but has failed and transferred nothing. `no_answer`: the node did not respond within 2 seconds.',
    { enum: ['unknown', 'pending', 'included', 'reverted', 'no_answer'], enumName: 'NodeTransactionState' },
  )
  transaction!: NodeAnswer['kind'];

  @AnswerField(
    'Number of the block that contains the transaction. Absent if the transaction is not in a block.',
    {
      required: false,
      type: 'integer',
      example: 24_310_117,
    },
  )
  block_number?: number;
}

export class AskedNetworkDto extends NetworkReadingDto {
  @AnswerField('Response of one of the network’s nodes. Absent if no node was queried.', { required: false })
  node?: NodeAnswerDto;
}

const TRANSACTION_CODES: TransactionExplanationCode[] = [
  ...(['received', 'not_read_yet', 'not_recorded', 'other_network', 'token_not_supported'] as const),
  ...(['to_nobody_here', 'pending', 'reverted', 'not_ours'] as const),
];

export class TransactionExplanationDto {
  @AnswerField('Hash of the transaction.', {
    example: '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
  })
  transaction_hash!: string;

  @AnswerField(
    'Effect of the transaction. `received`: the transaction paid your addresses; see `transfers`. ' +
      '`not_read_yet`: it paid your addresses in a block that the service has not read yet. `not_recorded`: it ' +
      'paid your addresses, but was missed when its block was read; the block is read again when it is final. ' +
      '`other_network`: it paid one of your addresses on a network for which the payer was not given this ' +
      'address. `token_not_supported`: it paid your address in a token that this service does not collect. ' +
      '`to_nobody_here`: it is in a block, but paid none of your addresses. `pending`: it is not in a block ' +
      'yet. `reverted`: it failed and transferred nothing. `not_ours`: no transfer to your addresses was seen ' +
      'and no node knows the transaction.',
    { enum: TRANSACTION_CODES, enumName: 'TransactionExplanationCode' },
  )
  code!: TransactionExplanationCode;

  @AnswerField('The meaning of `code` in this case, as a sentence for people.', {
    example: 'This transaction paid payment request 0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f.',
  })
  summary!: string;

  @AnswerField('Recorded transfers of the transaction to your addresses.', { type: [RecordedPaymentDto] })
  transfers!: RecordedPaymentDto[];

  @AnswerField(
    'Transfers to your addresses, at most 100, that nodes report but the service has not recorded. They do ' +
      'not count toward any payment request.',
    { type: [UnrecordedPaymentDto] },
  )
  unrecorded!: UnrecordedPaymentDto[];

  @AnswerField('Networks of the transfers. If there are no transfers: all networks that the service reads.', {
    type: [AskedNetworkDto],
  })
  networks!: AskedNetworkDto[];
}

export function presentTransactionExplanation(found: TransactionExplanation): TransactionExplanationDto {
  return answerFromView(TransactionExplanationDto, found, {
    transaction_hash: found.hash,
    transfers: found.payments.map(presentPayment),
    unrecorded: found.unrecorded.map(presentUnrecorded),
    networks: found.networks.map(presentNetwork),
  });
}

function presentPayment({ transfer, of }: RecordedPayment): RecordedPaymentDto {
  const { code, summary } = of;
  const request = answerFromView(PaidRequestDto, { ...of.request, code, summary });
  return { ...presentExplainedTransfer(transfer), payment_request: request };
}

function presentUnrecorded({ asset, ...payment }: UnrecordedPayment): UnrecordedPaymentDto {
  const { amount, to, token } = payment;
  return answerFromView(
    UnrecordedPaymentDto,
    { ...asset, ...payment },
    {
      to: toDisplayAddress(to),
      token: token.startsWith('0x') ? toDisplayAddress(token) : token,
      amount: asset && formatAmount(amount, asset.decimals),
      smallest_units: amount.toString(),
    },
  );
}

function presentNetwork({ node, ...reading }: QueriedNetwork): AskedNetworkDto {
  if (node === undefined) return presentNetworkReading(reading);
  const block = 'blockNumber' in node ? node.blockNumber : undefined;
  return { ...presentNetworkReading(reading), node: { transaction: node.kind, block_number: block } };
}
