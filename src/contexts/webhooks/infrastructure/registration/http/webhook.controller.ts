import { Body, Controller, Delete, Get, Param, Patch, Post, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { WebhookId } from '#shared/kernel/ids.js';
import {
  ApiFailures,
  ApiSuccess,
  ApiSuccessPage,
  linkTo,
} from '#shared/platform/http/openapi/api-answers.js';
import {
  PageQuery,
  presentPage,
  toPageRequest,
  type PageBody,
} from '#shared/platform/http/answers/pagination.dto.js';
import { CurrentPrincipal, type Principal } from '#shared/platform/http/callers/principal.js';
import { OrganizationScope } from '#shared/platform/http/callers/route-markers.js';
import {
  RequestKey,
  TakesIdempotencyKey,
  type KeyedRequest,
} from '#shared/platform/http/idempotency/idempotency-key.js';
import { IdempotentAnswers } from '#shared/platform/http/idempotency/idempotent-answers.js';
import { UuidParam } from '#shared/platform/http/validation/uuid-param.js';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import { ChangeWebhookUrl } from '#contexts/webhooks/application/registration/change-webhook-url.js';
import { RegisterWebhook } from '#contexts/webhooks/application/registration/register-webhook.js';
import { SwitchWebhook } from '#contexts/webhooks/application/registration/switch-webhook.js';
import { WebhookQueries } from '../persistence/webhook-queries.js';
import { DELIVERY_CALLBACK } from './delivery-callback.js';
import {
  DeletedWebhookDto,
  presentRegistered,
  presentWithoutSecret,
  presentWebhook,
  REGISTERED_WEBHOOK_EXAMPLE,
  RegisteredWebhookDto,
  RegisterWebhookBody,
  WEBHOOK_EXAMPLE,
  WebhookDto,
  WebhookUrlBody,
} from './webhook.dto.js';

const WEBHOOK = { accountID: '$request.path.accountID', webhookID: '$response.body#/data/id' };

const ENDS_WHAT_WAITS =
  'What waits for it, retries included, ends as `failed` with an entry in the log whose error is `webhook_inactive`; ' +
  'an attempt under way is finished and not repeated.';

@ApiTags('Webhooks')
@OrganizationScope()
@ApiFailures('organization_scope_required', 'account_not_allowed')
@Controller('v1/account/:accountID/webhook')
// A malformed id answers like an account of somebody else, so the path is not validated.
@ApiParam({
  name: 'accountID',
  format: 'uuid',
  description: 'The account; an organization-level key may name any of its own.',
})
export class WebhookController {
  constructor(
    private readonly registerWebhook: RegisterWebhook,
    private readonly answers: IdempotentAnswers,
    private readonly accounts: AccountDirectory,
    private readonly webhooks: WebhookQueries,
    private readonly changeWebhookUrl: ChangeWebhookUrl,
    private readonly switchWebhook: SwitchWebhook,
  ) {}

  @Post()
  @TakesIdempotencyKey()
  @ApiOperation({
    operationId: 'registerWebhook',
    summary: 'Register a webhook',
    description:
      'Deliveries are POSTs signed with the secret of this answer. Answer them with HTTP 200 within 2 seconds and at ' +
      'most 20 kB; anything else is tried again after 5 s, 30 s, 2 min, 10 min, 30 min, 2 h, 6 h, 12 h and 24 h, each ' +
      'wait 20% more or less, and has failed when the tenth attempt does. ' +
      'Duplicates can occur, and no order is promised: deduplicate on payment_request_id and status. An account has at ' +
      'most 50 webhooks unless the operator allows another number; one more is refused with `state_conflict`.',
    callbacks: DELIVERY_CALLBACK,
  })
  @ApiSuccess(RegisteredWebhookDto, {
    description: 'The webhook, active from now on.',
    example: REGISTERED_WEBHOOK_EXAMPLE,
    links: {
      ...linkTo('testWebhook', 'Send it a test.', WEBHOOK),
      ...linkTo('changeWebhookUrl', 'Send its deliveries elsewhere.', WEBHOOK),
      ...linkTo('rotateWebhookSecret', 'Give it a new secret.', WEBHOOK),
      ...linkTo('replayWebhook', 'Send it what it missed.', WEBHOOK),
      ...linkTo('deleteWebhook', 'Delete it.', WEBHOOK),
    },
  })
  @ApiFailures('validation_failed', 'state_conflict')
  register(
    @CurrentPrincipal() { scope, keyId: actor, address }: Principal,
    @Param('accountID') accountId: string,
    @Body() body: RegisterWebhookBody,
    @RequestKey() key: KeyedRequest | undefined,
  ): Promise<RegisteredWebhookDto> {
    const { url, event_type: eventType, description } = body;
    return this.answers.once(
      key,
      presentRegistered,
      (keyed) =>
        this.registerWebhook.execute({
          scope,
          actor,
          address,
          accountId,
          url,
          eventType,
          description,
          keyed,
        }),
      presentWithoutSecret,
    );
  }

  @Get('list')
  @ApiOperation({
    operationId: 'listWebhooks',
    summary: 'List webhooks of an account, oldest first',
    description: 'Secrets are not among the fields; deleted webhooks are not in the list.',
  })
  @ApiSuccessPage(WebhookDto, {
    description: 'One page of webhooks.',
    example: [WEBHOOK_EXAMPLE],
  })
  @ApiFailures('validation_failed')
  async list(
    @CurrentPrincipal() { scope }: Principal,
    @Param('accountID') accountId: string,
    @Query() query: PageQuery,
  ): Promise<PageBody<WebhookDto>> {
    const page = toPageRequest(query);
    const owner = await this.accounts.narrow(scope, accountId);
    return presentPage(await this.webhooks.listOfAccount(owner, page), page, presentWebhook);
  }

  @Put(':webhookID/url')
  @ApiParam({ name: 'webhookID', format: 'uuid', description: 'The webhook.' })
  @ApiOperation({
    operationId: 'changeWebhookUrl',
    summary: 'Change the URL of a webhook',
    description:
      'The URL is checked as at registration. Every attempt from now on goes there, also of deliveries that wait for ' +
      'their next one; the secret stays.',
  })
  @ApiSuccess(WebhookDto, { description: 'The webhook with its new URL.', example: WEBHOOK_EXAMPLE })
  @ApiFailures('validation_failed', 'not_found')
  async changeUrl(
    @CurrentPrincipal() { scope, keyId: actor, address }: Principal,
    @Param('accountID') accountId: string,
    @Param('webhookID', new UuidParam('webhook')) webhookId: WebhookId,
    @Body() { url }: WebhookUrlBody,
  ): Promise<WebhookDto> {
    return presentWebhook(
      await this.changeWebhookUrl.execute({ scope, actor, address, accountId, webhookId, url }),
    );
  }

  @Patch(':webhookID/activate')
  @ApiParam({ name: 'webhookID', format: 'uuid', description: 'The webhook.' })
  @ApiOperation({
    operationId: 'activateWebhook',
    summary: 'Let a webhook hear of events again',
    description:
      'It hears of what happens from now on. What it missed is not sent by itself: replay it, or read the events. ' +
      'Safe to repeat.',
  })
  @ApiSuccess(WebhookDto, { description: 'The webhook, active.', example: WEBHOOK_EXAMPLE })
  @ApiFailures('not_found')
  async activate(
    @CurrentPrincipal() { scope, keyId: actor, address }: Principal,
    @Param('accountID') accountId: string,
    @Param('webhookID', new UuidParam('webhook')) webhookId: WebhookId,
  ): Promise<WebhookDto> {
    return presentWebhook(await this.switchWebhook.activate({ scope, actor, address, accountId, webhookId }));
  }

  @Patch(':webhookID/deactivate')
  @ApiParam({ name: 'webhookID', format: 'uuid', description: 'The webhook.' })
  @ApiOperation({
    operationId: 'deactivateWebhook',
    summary: 'Send a webhook nothing more',
    description: `It hears of no more events. ${ENDS_WHAT_WAITS} Safe to repeat.`,
  })
  @ApiSuccess(WebhookDto, {
    description: 'The webhook, inactive.',
    example: { ...WEBHOOK_EXAMPLE, active: false },
  })
  @ApiFailures('not_found')
  async deactivate(
    @CurrentPrincipal() { scope, keyId: actor, address }: Principal,
    @Param('accountID') accountId: string,
    @Param('webhookID', new UuidParam('webhook')) webhookId: WebhookId,
  ): Promise<WebhookDto> {
    return presentWebhook(
      await this.switchWebhook.deactivate({ scope, actor, address, accountId, webhookId }),
    );
  }

  @Delete(':webhookID/delete')
  @ApiParam({ name: 'webhookID', format: 'uuid', description: 'The webhook.' })
  @ApiOperation({
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook',
    description: `There is no way back, and no second time: then it is \`not_found\`. ${ENDS_WHAT_WAITS} The log keeps its entries.`,
  })
  @ApiSuccess(DeletedWebhookDto, {
    description: 'The id of what was deleted.',
    example: { id: WEBHOOK_EXAMPLE.id },
  })
  @ApiFailures('not_found')
  async delete(
    @CurrentPrincipal() { scope, keyId: actor, address }: Principal,
    @Param('accountID') accountId: string,
    @Param('webhookID', new UuidParam('webhook')) webhookId: WebhookId,
  ): Promise<DeletedWebhookDto> {
    await this.switchWebhook.delete({ scope, actor, address, accountId, webhookId });
    return { id: webhookId };
  }
}
