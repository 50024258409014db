import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { WebhookId } from '#shared/kernel/ids.js';
import { ApiFailures, ApiSuccess } from '#shared/platform/http/openapi/api-answers.js';
import { CurrentPrincipal, type Principal } from '#shared/platform/http/callers/principal.js';
import { OrganizationScope } from '#shared/platform/http/callers/route-markers.js';
import {
  RequestKey,
  TakesIdempotencyKey,
  type KeyedRequest,
} from '#shared/platform/http/idempotency/idempotency-key.js';
import { IdempotentAnswers } from '#shared/platform/http/idempotency/idempotent-answers.js';
import { UuidParam } from '#shared/platform/http/validation/uuid-param.js';
import { RotateSecret } from '#contexts/webhooks/application/registration/rotate-secret.js';
import {
  presentRegistered,
  presentWithoutSecret,
  presentWebhook,
  REGISTERED_WEBHOOK_EXAMPLE,
  RegisteredWebhookDto,
  RotateSecretBody,
  WEBHOOK_EXAMPLE,
  WebhookDto,
} from './webhook.dto.js';

@ApiTags('Webhooks')
@OrganizationScope()
@ApiFailures('organization_scope_required', 'account_not_allowed')
@Controller('v1/account/:accountID/webhook/:webhookID')
@ApiParam({
  name: 'accountID',
  format: 'uuid',
  description: 'The account; an organization-level key may name any of its own.',
})
@ApiParam({ name: 'webhookID', format: 'uuid', description: 'The webhook.' })
export class WebhookSecretController {
  constructor(
    private readonly rotateSecret: RotateSecret,
    private readonly answers: IdempotentAnswers,
  ) {}

  @Post('rotate-secret')
  @TakesIdempotencyKey()
  @ApiOperation({
    operationId: 'rotateWebhookSecret',
    summary: 'Give a webhook a new secret',
    description:
      'While the overlap lasts, `X-Request-Signature` is made with the previous secret and `webhook-signature` carries ' +
      'one signature by each, the new one first (`v1,<new> v1,<previous>`): a receiver can change over at any moment, ' +
      'and then end the overlap. Afterwards only the new secret signs. Refused with `state_conflict` while an earlier ' +
      'overlap lasts, since one of the secrets in use would be dropped.',
  })
  @ApiBody({ type: RotateSecretBody, required: false })
  @ApiSuccess(RegisteredWebhookDto, {
    description: 'The webhook with its new secret, which is shown this once.',
    example: { ...REGISTERED_WEBHOOK_EXAMPLE, previous_secret_until: '2026-11-22T08:00:00.000Z' },
  })
  @ApiFailures('validation_failed', 'not_found', 'state_conflict')
  rotate(
    @CurrentPrincipal() { scope, keyId: actor, address }: Principal,
    @Param('accountID') accountId: string,
    @Param('webhookID', new UuidParam('webhook')) webhookId: WebhookId,
    @Body() { overlap_seconds: overlapSeconds }: RotateSecretBody,
    @RequestKey() key: KeyedRequest | undefined,
  ): Promise<RegisteredWebhookDto> {
    return this.answers.once(
      key,
      presentRegistered,
      (keyed) =>
        this.rotateSecret.execute({ scope, actor, address, accountId, webhookId, overlapSeconds, keyed }),
      presentWithoutSecret,
    );
  }

  @Post('end-overlap')
  @ApiOperation({
    operationId: 'endWebhookSecretOverlap',
    summary: 'Let only the new secret sign from now on',
    description:
      'For when the receiver knows the new secret, or when the previous one must count for nothing. Safe to repeat.',
  })
  @ApiSuccess(WebhookDto, {
    description: 'The webhook, whose current secret signs alone.',
    example: WEBHOOK_EXAMPLE,
  })
  @ApiFailures('not_found')
  async end(
    @CurrentPrincipal() { scope, keyId: actor, address }: Principal,
    @Param('accountID') accountId: string,
    @Param('webhookID', new UuidParam('webhook')) webhookId: WebhookId,
  ): Promise<WebhookDto> {
    return presentWebhook(
      await this.rotateSecret.endOverlap({ scope, actor, address, accountId, webhookId }),
    );
  }
}
