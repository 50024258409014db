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
  'Its pending deliveries, including retries, are marked `failed`, each with a log entry whose error is ' +
  '`webhook_inactive`. An attempt in progress is completed but not retried.';

@ApiTags('Webhooks')
@OrganizationScope()
@ApiFailures('organization_scope_required', 'account_not_allowed')
@Controller('v1/account/:accountID/webhook')
// Not validated, so that a malformed id and an account of another organization receive the same error.
@ApiParam({
  name: 'accountID',
  type: String,
  format: 'uuid',
  description: 'Id of the account, which must belong to your organization.',
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
      'Registers a URL that receives the events of one type as signed POST requests. The response contains the ' +
      'signing secret, which is displayed only once.\n\n' +
      'Respond to each delivery within 2 seconds, with HTTP 200 and a body of at most 20 kB. Otherwise, the ' +
      'service retries after 5 s, 30 s, 2 min, 10 min, 30 min, 2 h, 6 h, 12 h and 24 h (each ±20%). If the ' +
      'tenth attempt fails, the delivery is marked `failed`. A delivery can arrive more than once, and ' +
      'deliveries are not ordered: deduplicate them by `payment_request_id` and `status`.\n\n' +
      'An account can have up to 50 webhooks by default; the operator can change this limit. Returns 409 ' +
      '`state_conflict` if the account has reached the limit.',
    callbacks: DELIVERY_CALLBACK,
  })
  @ApiSuccess(RegisteredWebhookDto, {
    description: 'The webhook, which is active immediately.',
    example: REGISTERED_WEBHOOK_EXAMPLE,
    links: {
      ...linkTo('testWebhook', 'Send a test delivery.', WEBHOOK),
      ...linkTo('changeWebhookUrl', 'Change the URL.', WEBHOOK),
      ...linkTo('rotateWebhookSecret', 'Rotate the secret.', WEBHOOK),
      ...linkTo('replayWebhook', 'Replay missed events.', WEBHOOK),
      ...linkTo('deleteWebhook', 'Delete the webhook.', WEBHOOK),
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
        this.registerWebhook.register({
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
    summary: 'List the webhooks of an account',
    description:
      'Returns the webhooks of an account, oldest first. Secrets are not returned, and deleted webhooks are not ' +
      'listed.',
  })
  @ApiSuccessPage(WebhookDto, {
    description: 'A page of webhooks.',
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
  @ApiParam({ name: 'webhookID', type: String, format: 'uuid', description: 'Id of the webhook.' })
  @ApiOperation({
    operationId: 'changeWebhookUrl',
    summary: 'Change the URL of a webhook',
    description:
      'Replaces the URL of a webhook. The rules of registration apply to the new URL. All later attempts use ' +
      'the new URL, including attempts for pending deliveries. The secret does not change.',
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
      await this.changeWebhookUrl.change({ scope, actor, address, accountId, webhookId, url }),
    );
  }

  @Patch(':webhookID/activate')
  @ApiParam({ name: 'webhookID', type: String, format: 'uuid', description: 'Id of the webhook.' })
  @ApiOperation({
    operationId: 'activateWebhook',
    summary: 'Activate a webhook',
    description:
      'Activates a webhook, so that it receives new events again. Events that it missed are not sent ' +
      'automatically: replay them, or list them with `GET /v1/events`. Safe to repeat.',
  })
  @ApiSuccess(WebhookDto, { description: 'The active webhook.', example: WEBHOOK_EXAMPLE })
  @ApiFailures('not_found')
  async activate(
    @CurrentPrincipal() { scope, keyId: actor, address }: Principal,
    @Param('accountID') accountId: string,
    @Param('webhookID', new UuidParam('webhook')) webhookId: WebhookId,
  ): Promise<WebhookDto> {
    return presentWebhook(await this.switchWebhook.activate({ scope, actor, address, accountId, webhookId }));
  }

  @Patch(':webhookID/deactivate')
  @ApiParam({ name: 'webhookID', type: String, format: 'uuid', description: 'Id of the webhook.' })
  @ApiOperation({
    operationId: 'deactivateWebhook',
    summary: 'Deactivate a webhook',
    description: `Deactivates a webhook, so that it stops receiving events. ${ENDS_WHAT_WAITS} You can replay the missed events after you activate the webhook again. Safe to repeat.`,
  })
  @ApiSuccess(WebhookDto, {
    description: 'The inactive webhook.',
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
  @ApiParam({ name: 'webhookID', type: String, format: 'uuid', description: 'Id of the webhook.' })
  @ApiOperation({
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook',
    description: `Deletes the webhook permanently. ${ENDS_WHAT_WAITS} Its log entries are kept. Deleting it again returns 404 \`not_found\`.`,
  })
  @ApiSuccess(DeletedWebhookDto, {
    description: 'The id of the deleted webhook.',
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
