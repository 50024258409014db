import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { WebhookId } from '#shared/kernel/ids.js';
import { DocumentedOperation } from '#shared/platform/http/openapi/operation.js';
import { ApiErrors } from '#shared/platform/http/errors/api-errors.js';
import { CurrentPrincipal, type Principal } from '#shared/platform/http/callers/principal.js';
import { RequireOrganizationScope } from '#shared/platform/http/callers/route-markers.js';
import {
  IdempotencyKeyParam,
  type IdempotentRequest,
} from '#shared/platform/http/idempotency/idempotency-key.js';
import { IdempotentAnswers } from '#shared/platform/http/idempotency/idempotent-answers.js';
import { PathId, ApiPathId } from '#shared/platform/http/validation/uuid-param.js';
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
@RequireOrganizationScope()
@ApiErrors('account_not_allowed')
@Controller('v1/account/:accountID/webhook/:webhookID')
@ApiPathId('accountID', 'Id of the account, which must belong to your organization.')
export class WebhookSecretController {
  constructor(
    private readonly rotateSecret: RotateSecret,
    private readonly answers: IdempotentAnswers,
  ) {}

  @Post('rotate-secret')
  @DocumentedOperation('rotateWebhookSecret', 'Rotate the secret of a webhook', {
    description:
      'Creates a new signing secret and returns it once. During the overlap, deliveries are signed with both ' +
      'secrets: the `X-Request-Signature` header uses the previous secret, and the `webhook-signature` header ' +
      'contains one signature for each secret, the new one first (`v1,<new> v1,<previous>`). Switch your ' +
      'receiver to the new secret during the overlap, then end the overlap. Afterwards, deliveries are signed ' +
      'only with the new secret.\n\n' +
      'Returns 409 `state_conflict` if an earlier overlap has not ended.',
    answer: [
      RegisteredWebhookDto,
      'The webhook with its new secret, which is displayed only once.',
      { ...REGISTERED_WEBHOOK_EXAMPLE, previous_secret_until: '2026-11-22T08:00:00.000Z' },
    ],
    errors: ['state_conflict'],
  })
  @ApiBody({ type: RotateSecretBody, required: false })
  rotate(
    @CurrentPrincipal() { scope, keyId: actor, address }: Principal,
    @Param('accountID') accountId: string,
    @PathId('webhookID', 'webhook') webhookId: WebhookId,
    @Body() { overlap_seconds: overlapSeconds }: RotateSecretBody,
    @IdempotencyKeyParam() key: IdempotentRequest | undefined,
  ): Promise<RegisteredWebhookDto> {
    return this.answers.answerOnce(
      key,
      presentRegistered,
      (idempotency) =>
        this.rotateSecret.rotate({
          scope,
          actor,
          address,
          accountId,
          webhookId,
          overlapSeconds,
          idempotency,
        }),
      presentWithoutSecret,
    );
  }

  @Post('end-overlap')
  @DocumentedOperation('endWebhookSecretOverlap', 'End the secret overlap of a webhook', {
    description:
      'From now on, deliveries are signed only with the current secret. Call this operation when your receiver ' +
      'uses the new secret, or immediately if the previous secret was exposed. Safe to repeat.',
    answer: [
      WebhookDto,
      'The webhook, whose deliveries are now signed only with its current secret.',
      WEBHOOK_EXAMPLE,
    ],
  })
  async endOverlap(
    @CurrentPrincipal() { scope, keyId: actor, address }: Principal,
    @Param('accountID') accountId: string,
    @PathId('webhookID', 'webhook') webhookId: WebhookId,
  ): Promise<WebhookDto> {
    return presentWebhook(
      await this.rotateSecret.endOverlap({ scope, actor, address, accountId, webhookId }),
    );
  }
}
