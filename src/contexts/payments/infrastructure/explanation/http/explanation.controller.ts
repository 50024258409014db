import { Controller, Get, Param } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import type { PaymentRequestId, PointOfSaleId } from '#shared/kernel/ids.js';
import { DocumentedOperation } from '#shared/platform/http/openapi/operation.js';
import { CurrentPrincipal, type Principal } from '#shared/platform/http/callers/principal.js';
import { PathId } from '#shared/platform/http/validation/uuid-param.js';
import { ExplainPaymentRequest } from '#contexts/payments/application/explanation/explain-payment-request.js';
import { ExplainTransaction } from '#contexts/payments/application/explanation/explain-transaction.js';
import { ExplanationDto, presentExplanation } from './explanation.dto.js';
import { UNDERPAID_EXPLANATION_EXAMPLE, TRANSACTION_EXPLANATION_EXAMPLE } from './explanation-examples.js';
import { presentTransactionExplanation, TransactionExplanationDto } from './transaction-explanation.dto.js';

const TRANSACTION_HASH = 'transactionHash';

@ApiTags('Payment requests')
@Controller('v1')
export class ExplanationController {
  constructor(
    private readonly explainRequest: ExplainPaymentRequest,
    private readonly explainTransaction: ExplainTransaction,
  ) {}

  @Get('pos/:posID/payment-request/:paymentRequestID/explain')
  @DocumentedOperation('explainPaymentRequest', 'Explain a payment request', {
    description:
      'Returns the reason why a payment request is or is not paid, as a code and as a sentence. It also ' +
      'returns the transfers seen, the remaining amount, and the block and time up to which each network has ' +
      'been read. Intended for support staff.',
    answer: [ExplanationDto, 'Current explanation of the payment request.', UNDERPAID_EXPLANATION_EXAMPLE],
  })
  async request(
    @CurrentPrincipal() { scope }: Principal,
    @PathId('posID', 'payment request', 'Id of the point of sale.') pointOfSaleId: PointOfSaleId,
    @PathId('paymentRequestID', 'payment request') id: PaymentRequestId,
  ): Promise<ExplanationDto> {
    return presentExplanation(await this.explainRequest.explain(scope, pointOfSaleId, id));
  }

  @Get(`explain/:${TRANSACTION_HASH}`)
  @DocumentedOperation('explainTransaction', 'Explain a transaction', {
    description:
      'Returns what the service knows about a blockchain transaction, for example one that a payer claims to ' +
      'have sent. If the service has recorded no transfer of this transaction to your addresses, it queries a ' +
      'node of each network, which takes at most 2 seconds. Each credential can cause 60 such queries per ' +
      'minute; above that, the request returns 429 `rate_limited`. For transactions of other organizations, ' +
      '`code` is `not_ours` or `to_nobody_here`.',
    answer: [TransactionExplanationDto, 'Explanation of the transaction.', TRANSACTION_EXPLANATION_EXAMPLE],
  })
  @ApiParam({
    name: TRANSACTION_HASH,
    description: 'Transaction hash: 64 hexadecimal digits, with `0x` on EVM networks.',
    schema: { type: 'string', pattern: '^(0x)?[0-9a-fA-F]{64}$' },
  })
  async transaction(
    @CurrentPrincipal() { scope, credentialId }: Principal,
    @Param(TRANSACTION_HASH) hash: string,
  ): Promise<TransactionExplanationDto> {
    return presentTransactionExplanation(await this.explainTransaction.explain(scope, credentialId, hash));
  }
}
