import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { DocumentedOperation } from '#shared/platform/http/openapi/operation.js';
import { PublicRateLimiter } from '#shared/platform/http/callers/public-rate-limiter.js';
import { OwnRateLimit, Public, RawAnswer } from '#shared/platform/http/callers/route-markers.js';
import { ApiCheckoutSessionId, PUBLIC_PAYMENT_ERROR_CODES } from '../../checkout/http/checkout-examples.js';
import { PaymentOptionQuery } from '../../checkout/http/wallet-payment-response.dto.js';
import { readPaymentSignatureHeader, refuseX402Version1 } from './payment-headers.js';
import { X402Answers } from './x402-answers.js';
import { PAID_RESPONSE, PAYMENT_REQUIRED_RESPONSE } from './x402.dto.js';

@ApiTags('Public checkout')
@Controller('public/checkout/:sessionId/x402')
@ApiCheckoutSessionId()
@Public()
@OwnRateLimit()
export class X402Controller {
  constructor(
    private readonly answers: X402Answers,
    private readonly callers: PublicRateLimiter,
  ) {}

  @Get()
  @RawAnswer()
  @DocumentedOperation('payByHeader', 'Pay with an x402 header', {
    description:
      'This is the `x402_url` of a checkout. It implements x402 version 2 with the scheme `exact` and ' +
      'EIP-3009. The 200 and 402 responses are not wrapped in `status` and `data`. Without the header ' +
      '`PAYMENT-SIGNATURE`, the response is 402 with the remaining amount. `payment_option` selects an asset. ' +
      'If it is omitted and no asset is selected yet, the service selects the first asset that supports ' +
      'payment by signature. With `PAYMENT-SIGNATURE`, the service sends the transfer, pays the network fee ' +
      'and returns 200 when the transfer is in a block. If the transfer is not in a block after 25 seconds, ' +
      'the response is 503 `payment_pending`: send the same header again. A header is executed at most once, ' +
      'and repeating it returns the same result. Returns 402 with `errors` if the payment is rejected, and 409 ' +
      '`not_sponsored` if the asset does not support payment by signature.',
    errors: [...PUBLIC_PAYMENT_ERROR_CODES, 'not_sponsored', 'payment_pending'],
  })
  @ApiHeader({
    name: 'PAYMENT-SIGNATURE',
    required: false,
    description:
      'x402 version 2 `PaymentPayload`: base64-encoded JSON, at most 8 KiB after decoding. Omit the header to ' +
      'get the payment terms.',
  })
  @ApiResponse(PAID_RESPONSE)
  @ApiResponse(PAYMENT_REQUIRED_RESPONSE)
  async pay(
    @Param('sessionId') sessionId: string,
    @Req() request: Request,
    @Query() query: PaymentOptionQuery,
    @Res() response: Response,
  ): Promise<void> {
    const isHead = request.method === 'HEAD';
    const answer = await this.callers.runLimited(request, sessionId, () => {
      refuseX402Version1(request.headers['x-payment']);
      const header = isHead ? undefined : request.headers['payment-signature'];
      const payment = header === undefined ? undefined : readPaymentSignatureHeader(String(header));
      // Nest also routes HEAD requests here. They must neither select an asset nor pay.
      const choice = { sessionId, option: isHead ? undefined : query.payment_option, maySelect: !isHead };
      const caller = this.callers.callerRangeNameOf(request);
      const waiting = { payment: String(header), caller, gone: abortOnDisconnect(response) };
      return this.answers.answer(choice, payment, waiting);
    });
    response.status(answer.status).setHeader(...answer.header);
    response.json(answer.body);
  }
}

function abortOnDisconnect(response: Response): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}
