import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { DeliveryId, WebhookId } from '#shared/kernel/ids.js';
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
import {
  MAX_REPLAYED_EVENTS,
  ReplayEvents,
} from '#contexts/webhooks/application/redelivery/replay-events.js';
import { ResendDelivery } from '#contexts/webhooks/application/redelivery/resend-delivery.js';
import { parseTimeSince2000 } from '#shared/kernel/instant.js';
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
@RequireOrganizationScope()
@ApiErrors('account_not_allowed')
@Controller('v1/account/:accountID/webhook/:webhookID')
@ApiPathId('accountID', 'Id of the account, which must belong to your organization.')
export class RedeliveryController {
  constructor(
    private readonly answers: IdempotentAnswers,
    private readonly resendDelivery: ResendDelivery,
    private readonly replayEvents: ReplayEvents,
  ) {}

  @Post('delivery/:deliveryID/resend')
  @DocumentedOperation('resendDelivery', 'Resend a delivery', {
    description:
      'Sends the delivery again immediately, whether it was delivered, has failed or is pending. The ' +
      '`webhook-id` header and the body stay the same, the signature is new, and the retry schedule starts ' +
      'again. The number of the next attempt follows that of the last attempt. If an attempt is in progress, ' +
      'this operation changes nothing.\n\n' +
      'Returns 409 `state_conflict` if the webhook is inactive.',
    answer: [DeliveryDto, 'The pending delivery.', DELIVERY_EXAMPLE],
    errors: ['state_conflict'],
  })
  resend(
    @CurrentPrincipal() { scope }: Principal,
    @Param('accountID') accountId: string,
    @PathId('webhookID', 'webhook') webhookId: WebhookId,
    @PathId(
      'deliveryID',
      'delivery',
      'Id of the delivery: the `delivery_id` of an entry in the log of delivery attempts.',
    )
    deliveryId: DeliveryId,
    @IdempotencyKeyParam() key: IdempotentRequest | undefined,
  ): Promise<DeliveryDto> {
    return this.answers.answerOnce(key, presentDelivery, (idempotency) =>
      this.resendDelivery.resend({ scope, accountId, webhookId, deliveryId, idempotency }),
    );
  }

  @Post('replay')
  @DocumentedOperation('replayWebhook', 'Replay events to a webhook', {
    description:
      'Sends all events of the account that have the webhook’s event type and occurred in a time range. This ' +
      'includes events that were delivered, have failed or are pending, and events that were never queued ' +
      'because the webhook was inactive or not yet registered. Events of one payment request are sent in their ' +
      'original order: each event is sent after the previous event has been delivered or has failed ' +
      'permanently.\n\n' +
      `At most ${MAX_REPLAYED_EVENTS} events per request. Returns 409 \`state_conflict\` if the webhook is inactive, except for a dry run.`,
    answer: [
      ReplayDto,
      'The number of deliveries. An event with an attempt in progress is counted, but not sent twice.',
      REPLAY_EXAMPLE,
    ],
    errors: ['state_conflict'],
  })
  replay(
    @CurrentPrincipal() { scope }: Principal,
    @Param('accountID') accountId: string,
    @PathId('webhookID', 'webhook') webhookId: WebhookId,
    @Body() body: ReplayBody,
    @IdempotencyKeyParam() key: IdempotentRequest | undefined,
  ): Promise<ReplayDto> {
    const { dry_run: dryRun = false } = body;
    const range = { from: parseTimeSince2000(body.from)!, to: parseTimeSince2000(body.to)! };
    const present = (deliveries: number) => presentReplay(range, dryRun, deliveries);
    return this.answers.answerOnce(key, present, (idempotency) =>
      this.replayEvents.replay({ scope, accountId, webhookId, ...range, dryRun, idempotency }),
    );
  }
}
