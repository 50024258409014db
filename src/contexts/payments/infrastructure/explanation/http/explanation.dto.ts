import { answerFromView, AnswerField, UuidField } from '#shared/platform/http/answers/answer.js';
import type {
  ExplainedTransfer,
  RequestExplanationCode,
  RequestExplanation,
  TransferExplanationCode,
} from '#contexts/payments/application/explanation/explanation-view.js';
import type { PaymentRequestStatus } from '#contexts/payments/contract/payment-request-events.js';
import { FULFILLED_FIELD, STATUS_FIELD } from '../../requests/http/checkout.dto.js';
import { presentAmountAndBlock, TransferDto } from '../../requests/http/transfer.dto.js';
import { DEPOSIT_REASONS } from '#contexts/payments/domain/requests/booking/deposit-reason-rule.js';
import {
  ExplanationFactsDto,
  NetworkReadingDto,
  presentFacts,
  presentNetworkReading,
} from './explanation-facts.dto.js';

const TRANSFER_CODES: TransferExplanationCode[] = [
  ...(['confirming', 'awaiting_agreement', 'counted'] as const),
  'below_minimum',
  ...DEPOSIT_REASONS,
  'reversed',
];

export const REQUEST_EXPLANATION_CODES: RequestExplanationCode[] = [
  ...(['asset_not_selected', 'unseen', 'network_behind', 'short_by', 'confirming'] as const),
  ...(['awaiting_agreement', 'completed', 'overpaid_by', 'underpaid_by', 'expired_unpaid'] as const),
  'below_minimum',
  ...DEPOSIT_REASONS,
  ...(['failed', 'reversed'] as const),
];

export const EXPLANATION_CODE_DESCRIPTION =
  'Why the payment request is or is not paid. If several reasons apply, this is the one to act on. ' +
  '`asset_not_selected`: the payer has not selected an asset. `unseen`: no transfer has been seen. ' +
  '`network_behind`: the service has not read the network far enough to know. `short_by`: less than the ' +
  'requested amount has been received so far. `confirming`: enough has been received, but it is not final yet. ' +
  '`awaiting_agreement`: a second RPC endpoint or a second balance check must confirm the payment, or RPC ' +
  'endpoints that disagree must agree again. `completed`, `overpaid_by`, `underpaid_by`: the request has ended ' +
  'with this result. `expired_unpaid`: the request has ended without any transfer. `below_minimum`, `late`, ' +
  '`after_outcome`, `other_asset`: the request is unpaid; a transfer was received, but does not count for this ' +
  'reason. `failed`: the asset or network was removed, or no address could be created. `reversed`: the payment ' +
  'disappeared from the chain after it was final.';

export class ExplainedTransferDto extends TransferDto {
  @AnswerField('Deposit address that the transfer was sent to (EIP-55).', {
    example: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  })
  to!: string;

  @AnswerField(
    'State of the transfer. `confirming`: the transfer counts, but is not final yet. `awaiting_agreement`: a ' +
      'second RPC endpoint or a second balance check must confirm the transfer, or RPC endpoints that disagree ' +
      'must agree again. `counted`: the transfer is final and part of the payment. `below_minimum`: the total ' +
      'received is below the asset’s minimum. `late`: the transfer was received after the deadline. ' +
      '`after_outcome`: it was received after the request had ended, or while the request was being paid in ' +
      'another asset. `other_asset`: it is in an asset that was not requested. `reversed`: it disappeared from ' +
      'the chain after it was final.',
    { enum: TRANSFER_CODES, enumName: 'TransferExplanationCode' },
  )
  code!: TransferExplanationCode;

  @AnswerField('The meaning of `code` in this case, as a sentence for people.', {
    example: '10 USDC in block 24310117 of erc20 counts, and has 3 of 12 confirmations.',
  })
  summary!: string;
}

export class ExplanationDto {
  @UuidField('Id of the payment request.')
  payment_request_id!: string;

  @UuidField('Id of the point of sale.', { example: '0193b2f4-6a1b-7d2c-8e3f-1b5c6d7e8f90' })
  point_of_sale_id!: string;

  @AnswerField('Your own order id. Absent if you sent none.', { required: false, example: 'order-1042' })
  reference_id?: string;

  @AnswerField(STATUS_FIELD)
  status!: PaymentRequestStatus;

  @AnswerField(FULFILLED_FIELD)
  fulfilled!: boolean;

  @AnswerField(EXPLANATION_CODE_DESCRIPTION, { enum: REQUEST_EXPLANATION_CODES, enumName: 'ExplanationCode' })
  code!: RequestExplanationCode;

  @AnswerField('The meaning of `code` in this case, as a sentence for people.', {
    example:
      '10 USDC of 12.5 USDC was received, 2.5 USDC is missing; transfers in a block by 2026-01-31 ' +
      '12:09:00 UTC count.',
  })
  summary!: string;

  @AnswerField('Facts on which the explanation is based.')
  facts!: ExplanationFactsDto;

  @AnswerField('Transfers to the addresses of the payment request, at most 100.', {
    type: [ExplainedTransferDto],
  })
  transfers!: ExplainedTransferDto[];

  @AnswerField(
    'Networks on which the payer was given an address, and how far the service has read each of them.',
    {
      type: [NetworkReadingDto],
    },
  )
  networks!: NetworkReadingDto[];
}

export function presentExplanation(explained: RequestExplanation): ExplanationDto {
  const { request, facts, transfers } = explained;
  return answerFromView(
    ExplanationDto,
    { ...request, ...explained },
    {
      payment_request_id: request.id,
      facts: presentFacts(facts),
      transfers: transfers.map(presentExplainedTransfer),
      networks: request.networks.map(presentNetworkReading),
    },
  );
}

export function presentExplainedTransfer(transfer: ExplainedTransfer): ExplainedTransferDto {
  return answerFromView(ExplainedTransferDto, transfer, presentAmountAndBlock(transfer));
}
