import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { DeliveryId, WebhookId } from '#shared/kernel/ids.js';
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
import { MAX_REPLAYED, ReplayEvents } from '#contexts/webhooks/application/redelivery/replay-events.js';
import { ResendDelivery } from '#contexts/webhooks/application/redelivery/resend-delivery.js';
import { readInstant } from '#shared/kernel/instant.js';
import {
  DELIVERY_EXAMPLE,
  DeliveryDto,
  presentDelivery,
  presentReplay,
  REPLAY_EXAMPLE,
  ReplayBody,
  ReplayDto,
} from './redelivery.dto.js';

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
export class RedeliveryController {
  constructor(
    private readonly answers: IdempotentAnswers,
    private readonly resendDelivery: ResendDelivery,
    private readonly replayEvents: ReplayEvents,
  ) {}

  @Post('delivery/:deliveryID/resend')
  @TakesIdempotencyKey()
  @ApiParam({ name: 'deliveryID', format: 'uuid', description: '`delivery_id` of the log.' })
  @ApiOperation({
    operationId: 'resendDelivery',
    summary: 'Send a delivery again',
    description:
      'At once, whether it was delivered, has failed or waits: the same `webhook-id` and the same bytes, signed ' +
      'afresh, with the whole schedule of attempts before it. The attempts of its log go on counting. One that is ' +
      'being attempted at this moment stays as it is. Refused with `state_conflict` while the webhook is inactive.',
  })
  @ApiSuccess(DeliveryDto, { description: 'The delivery, waiting to be sent.', example: DELIVERY_EXAMPLE })
  @ApiFailures('not_found', 'state_conflict', 'rate_limited')
  resend(
    @CurrentPrincipal() { scope }: Principal,
    @Param('accountID') accountId: string,
    @Param('webhookID', new UuidParam('webhook')) webhookId: WebhookId,
    @Param('deliveryID', new UuidParam('delivery')) deliveryId: DeliveryId,
    @RequestKey() key: KeyedRequest | undefined,
  ): Promise<DeliveryDto> {
    return this.answers.once(key, presentDelivery, (keyed) =>
      this.resendDelivery.execute({ scope, accountId, webhookId, deliveryId, keyed }),
    );
  }

  @Post('replay')
  @TakesIdempotencyKey()
  @ApiOperation({
    operationId: 'replayWebhook',
    summary: 'Send a webhook all events of a time again',
    description:
      'Every event of its account and type that happened at `from` or later and before `to`, whether it was ' +
      'delivered, has failed, still waits or was never queued because the webhook was inactive or not registered yet. ' +
      'Each is sent as by a resend, those of one payment request one after another in their original order: the next ' +
      'when the one before is delivered or has failed for good. At most ' +
      `${MAX_REPLAYED} events at once. Refused with \`state_conflict\` while the webhook is inactive, but for a dry run.`,
  })
  @ApiSuccess(ReplayDto, {
    description: 'What is sent, or would be. An event under way at this moment counts and is not sent twice.',
    example: REPLAY_EXAMPLE,
  })
  @ApiFailures('validation_failed', 'not_found', 'state_conflict', 'rate_limited')
  replay(
    @CurrentPrincipal() { scope }: Principal,
    @Param('accountID') accountId: string,
    @Param('webhookID', new UuidParam('webhook')) webhookId: WebhookId,
    @Body() body: ReplayBody,
    @RequestKey() key: KeyedRequest | undefined,
  ): Promise<ReplayDto> {
    const { dry_run: dryRun = false } = body;
    const range = { from: readInstant(body.from)!, to: readInstant(body.to)! };
    const present = (deliveries: number) => presentReplay(range, dryRun, deliveries);
    return this.answers.once(key, present, (keyed) =>
      this.replayEvents.execute({ scope, accountId, webhookId, ...range, dryRun, keyed }),
    );
  }
}
