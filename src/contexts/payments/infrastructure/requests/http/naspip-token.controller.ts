import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, type Principal } from '#shared/platform/http/callers/principal.js';
import { DocumentedOperation } from '#shared/platform/http/openapi/operation.js';
import { PaymentTokenIssuer } from '#contexts/payments/application/requests/payment-token-issuer.js';
import {
  NaspipTokenDto,
  presentNaspipToken,
  ReadNaspipTokenBody,
  NASPIP_TOKEN_EXAMPLE,
} from './naspip-token.dto.js';

@ApiTags('NASPIP')
@Controller('v1/naspip/read')
export class NaspipTokenController {
  constructor(private readonly tokens: PaymentTokenIssuer) {}

  @Post()
  @DocumentedOperation('readNaspipToken', 'Read a payment token', {
    description:
      'Verifies a payment token of this service as a wallet does (format, key, signature, times and payload) ' +
      'and returns its content. Nothing is stored. Returns 400 `validation_failed` for tokens of other issuers ' +
      'and for tokens that fail verification; `rule` names the reason.',
    answer: [NaspipTokenDto, 'Verified claims and payload of the token.', NASPIP_TOKEN_EXAMPLE],
  })
  read(@CurrentPrincipal() { at }: Principal, @Body() { token }: ReadNaspipTokenBody): NaspipTokenDto {
    return presentNaspipToken(this.tokens.read(token, at));
  }
}
