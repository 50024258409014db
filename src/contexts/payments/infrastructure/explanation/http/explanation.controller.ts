import { Controller, Get, Param } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { PaymentRequestId, PointOfSaleId } from '#shared/kernel/ids.js';
import { ApiFailures, ApiSuccess } from '#shared/platform/http/openapi/api-answers.js';
import { CurrentPrincipal, type Principal } from '#shared/platform/http/callers/principal.js';
import { UuidParam } from '#shared/platform/http/validation/uuid-param.js';
import { ExplainPaymentRequest } from '#contexts/payments/application/explanation/explain-payment-request.js';
import { ExplainTransaction } from '#contexts/payments/application/explanation/explain-transaction.js';
import { ExplanationDto, presentExplanation } from './explanation.dto.js';
import { SHORT_EXAMPLE, TRANSACTION_EXAMPLE } from './explanation-examples.js';
import { presentTransaction, TransactionExplanationDto } from './transaction-explanation.dto.js';

const HASH = 'transactionHash';

@ApiTags('Payment requests')
@Controller('v1')
export class ExplanationController {
  constructor(
    private readonly explainRequest: ExplainPaymentRequest,
    private readonly explainTransaction: ExplainTransaction,
  ) {}

  @Get('pos/:posID/payment-request/:paymentRequestID/explain')
  @ApiOperation({
    operationId: 'explainPaymentRequest',
    summary: 'Explain a payment request',
    description:
      'Why it is or is not paid, in words and fields: what was seen, what is missing, and up to which block and time ' +
      'each network was read.',
  })
  @ApiParam({ name: 'posID', format: 'uuid', description: 'The point of sale.' })
  @ApiParam({ name: 'paymentRequestID', format: 'uuid', description: 'The payment request.' })
  @ApiSuccess(ExplanationDto, { description: 'The reason as things stand.', example: SHORT_EXAMPLE })
  @ApiFailures('not_found')
  async request(
    @CurrentPrincipal() { scope }: Principal,
    @Param('posID', new UuidParam('payment request')) pointOfSaleId: PointOfSaleId,
    @Param('paymentRequestID', new UuidParam('payment request')) id: PaymentRequestId,
  ): Promise<ExplanationDto> {
    return presentExplanation(await this.explainRequest.execute(scope, pointOfSaleId, id));
  }

  @Get(`explain/:${HASH}`)
  @ApiOperation({
    operationId: 'explainTransaction',
    summary: 'Explain a transaction',
    description:
      'What became of a transaction that a payer names. Where none of its transfers to addresses of yours was recorded, ' +
      'a node of each network is asked about it, which takes two seconds at most.',
  })
  @ApiParam({
    name: HASH,
    description: 'Its hash: 0x and 64 hexadecimal digits.',
    schema: { type: 'string', pattern: '^0x[0-9a-fA-F]{64}$' },
  })
  @ApiSuccess(TransactionExplanationDto, {
    description: 'What is known of it, as far as it concerns you.',
    example: TRANSACTION_EXAMPLE,
  })
  @ApiFailures('rate_limited')
  async transaction(
    @CurrentPrincipal() { scope, credentialId }: Principal,
    @Param(HASH) hash: string,
  ): Promise<TransactionExplanationDto> {
    return presentTransaction(await this.explainTransaction.execute(scope, credentialId, hash));
  }
}
