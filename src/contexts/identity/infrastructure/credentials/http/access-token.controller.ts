import { Body, Controller, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { DocumentedOperation } from '#shared/platform/http/openapi/operation.js';
import { CallerAddressResolver } from '#shared/platform/http/callers/caller-address-resolver.js';
import {
  RateLimitHeaderBuilder,
  setRateLimitHeaders,
} from '#shared/platform/http/callers/rate-limit-headers.js';
import { OwnRateLimit, Public } from '#shared/platform/http/callers/route-markers.js';
import type { AttemptsLeft } from '../persistence/authentication-attempts.js';
import { ExchangeApiKeyForToken } from '#contexts/identity/application/credentials/exchange-api-key-for-token.js';
import { presentToken, TokenAnswer, TokenExchangeBody } from './token.dto.js';

@ApiTags('Authentication')
@Controller('v1/auth/token')
export class AccessTokenController {
  constructor(
    private readonly exchangeApiKeyForToken: ExchangeApiKeyForToken,
    private readonly callerAddress: CallerAddressResolver,
  ) {}

  /** Ignores the headers that authenticate other routes. */
  @Public()
  @OwnRateLimit()
  @Post()
  @DocumentedOperation('exchangeToken', 'Create an access token', {
    description:
      'Exchanges an API key id and its secret for a bearer token that is valid for one hour. Send no ' +
      'authentication headers. Use the token for all requests, and create a new one before it expires.\n\n' +
      'Returns 401 `credentials_invalid` if the key is unknown or the secret is wrong.',
    answer: [
      TokenAnswer,
      'The access token.',
      { token: 'eyJhbGciOiJIUzI1NiIs…', token_type: 'Bearer', expired_at: '2026-01-31T13:00:00.000Z' },
    ],
    errors: ['credentials_invalid', 'credential_disabled', 'ip_not_allowed', 'rate_limited'],
  })
  async exchange(@Body() body: TokenExchangeBody, @Req() request: Request): Promise<TokenAnswer> {
    const address = this.callerAddress.addressOf(request);
    const caller = this.callerAddress.callerAddressRangesOf(request);
    const counted = ({ policy, left, seconds }: AttemptsLeft) =>
      setRateLimitHeaders(
        request.res,
        new RateLimitHeaderBuilder(policy).headers(policy.name, left, seconds),
      );
    const { api_key: apiKey, api_secret: apiSecret } = body;
    return presentToken(
      await this.exchangeApiKeyForToken.exchange({ apiKey, apiSecret, address, caller, counted }),
    );
  }
}
