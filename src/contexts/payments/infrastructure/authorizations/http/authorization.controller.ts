import { Body, Controller, Param, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { answerFromView } from '#shared/platform/http/answers/answer.js';
import { PublicRateLimiter } from '#shared/platform/http/callers/public-rate-limiter.js';
import { OwnRateLimit, Public } from '#shared/platform/http/callers/route-markers.js';
import { operationLinkTo, DocumentedOperation } from '#shared/platform/http/openapi/operation.js';
import { ApiCheckoutSessionId } from '../../checkout/http/checkout-examples.js';
import { SubmitAuthorization } from '#contexts/payments/application/authorizations/submit-authorization.js';
import { AuthorizationDto, SubmitAuthorizationBody, toSubmittedAuthorization } from './authorization.dto.js';

/** Accepts cross-origin POSTs: the request reads no cookie, and the payer's signature authorizes the payment. */
export const AUTHORIZATION_PATH_PATTERN = /^\/public\/checkout\/[A-Za-z0-9_-]{32}\/authorization$/;

@ApiTags('Public checkout')
@Controller('public/checkout/:sessionId/authorization')
@ApiCheckoutSessionId()
@Public()
@OwnRateLimit()
export class AuthorizationController {
  constructor(
    private readonly submitAuthorization: SubmitAuthorization,
    private readonly callers: PublicRateLimiter,
  ) {}

  @Post()
  @DocumentedOperation('authorizePayment', 'Pay by signature', {
    description:
      'Submits an EIP-3009 authorization: the message in `selected.signature_payment`, signed by the payer. ' +
      'The service sends the transfer and pays the network fee. An authorization is executed at most once; ' +
      'repeat the request to get its current status. Returns 409 `not_sponsored` if the service does not pay ' +
      'the fee, and 409 `authorization_refused` if the token contract would reject the authorization or has ' +
      'rejected it.',
    answer: [AuthorizationDto, 'Current status of the authorization.', { status: 'queued' }],
    links: operationLinkTo('readPublicCheckout', 'Poll the checkout session.', {
      sessionId: '$request.path.sessionId',
    }),
    errors: ['not_found', 'state_conflict', 'not_sponsored', 'authorization_refused', 'rate_limited'],
  })
  async authorize(
    @Param('sessionId') sessionId: string,
    @Req() request: Request,
    @Body() body: SubmitAuthorizationBody,
  ): Promise<AuthorizationDto> {
    const view = await this.callers.runLimited(request, sessionId, () =>
      this.submitAuthorization.submit(sessionId, toSubmittedAuthorization(body)),
    );
    return answerFromView(AuthorizationDto, view);
  }
}
