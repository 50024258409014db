import { Body, Controller, Delete, Get, Param, Patch, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { WebhookId } from '#shared/kernel/ids.js';
import { operationLinkTo, DocumentedOperation } from '#shared/platform/http/openapi/operation.js';
import {
  PageQuery,
  presentListPage,
  toPageRequest,
  type PageBody,
} from '#shared/platform/http/answers/pagination.dto.js';
import { ApiErrors } from '#shared/platform/http/errors/api-errors.js';
import { CurrentPrincipal, type Principal } from '#shared/platform/http/callers/principal.js';
import { RequireOrganizationScope } from '#shared/platform/http/callers/route-markers.js';
import {
  IdempotencyKeyParam,
  type IdempotentRequest,
} from '#shared/platform/http/idempotency/idempotency-key.js';
import { IdempotentAnswers } from '#shared/platform/http/idempotency/idempotent-answers.js';
import { PathId, ApiPathId } from '#shared/platform/http/validation/uuid-param.js';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import { ChangeWebhookUrl } from '#contexts/webhooks/application/registration/change-webhook-url.js';
import { RegisterWebhook } from '#contexts/webhooks/application/registration/register-webhook.js';
import { ChangeWebhookStatus } from '#contexts/webhooks/application/registration/change-webhook-status.js';
import { WebhookQueries } from '../persistence/webhook-queries.js';
import { DELIVERY_OPENAPI_CALLBACK } from './delivery-callback.js';
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

const WEBHOOK_LINK_PARAMETERS = {
  accountID: '$request.path.accountID',
  webhookID: '$response.body#/data/id',
};

const FAILS_PENDING_DELIVERIES =
  'Its pending deliveries, including retries, are marked `failed`, each with a log entry whose error is ' +
  '`webhook_inactive`. An attempt in progress is completed but not retried.';

@ApiTags('Webhooks')
@RequireOrganizationScope()
@ApiErrors('account_not_allowed')
@Controller('v1/account/:accountID/webhook')
// A malformed id and the id of a foreign account must receive the same error.
@ApiPathId('accountID', 'Id of the account, which must belong to your organization.')
export class WebhookController {
  constructor(
    private readonly registerWebhook: RegisterWebhook,
    private readonly answers: IdempotentAnswers,
    private readonly accounts: AccountDirectory,
    private readonly webhooks: WebhookQueries,
    private readonly changeWebhookUrl: ChangeWebhookUrl,
    private readonly changeWebhookStatus: ChangeWebhookStatus,
  ) {}

  @Post()
  @DocumentedOperation('registerWebhook', 'Register a webhook', {
    description:
      'Registers a URL that receives the events of one type as signed POST requests. The response contains the ' +
      'signing secret, which is displayed only once.\n\n' +
      'Respond to each delivery within 2 seconds, with HTTP 200 and a body of at most 20 kB. Otherwise, the ' +
      'service retries after 5 s, 30 s, 2 min, 10 min, 30 min, 2 h, 6 h, 12 h and 24 h (each ±20%). If the ' +
      'tenth attempt fails, the delivery is marked `failed`. A delivery can arrive more than once, and ' +
      'deliveries are not ordered: deduplicate them by `payment_request_id` and `status`.\n\n' +
      'An account can have up to 50 webhooks by default; the operator can change this limit. Returns 409 ' +
      '`state_conflict` if the account has reached the limit.',
    callbacks: DELIVERY_OPENAPI_CALLBACK,
    answer: [RegisteredWebhookDto, 'The webhook, which is active immediately.', REGISTERED_WEBHOOK_EXAMPLE],
    links: {
      ...operationLinkTo('testWebhook', 'Send a test delivery.', WEBHOOK_LINK_PARAMETERS),
      ...operationLinkTo('changeWebhookUrl', 'Change the URL.', WEBHOOK_LINK_PARAMETERS),
      ...operationLinkTo('rotateWebhookSecret', 'Rotate the secret.', WEBHOOK_LINK_PARAMETERS),
      ...operationLinkTo('replayWebhook', 'Replay missed events.', WEBHOOK_LINK_PARAMETERS),
      ...operationLinkTo('deleteWebhook', 'Delete the webhook.', WEBHOOK_LINK_PARAMETERS),
    },
    errors: ['state_conflict'],
  })
  register(
    @CurrentPrincipal() { scope, keyId: actor, address }: Principal,
    @Param('accountID') accountId: string,
    @Body() body: RegisterWebhookBody,
    @IdempotencyKeyParam() key: IdempotentRequest | undefined,
  ): Promise<RegisteredWebhookDto> {
    const { url, event_type: eventType, description } = body;
    return this.answers.answerOnce(
      key,
      presentRegistered,
      (idempotency) =>
        this.registerWebhook.register({
          scope,
          actor,
          address,
          accountId,
          url,
          eventType,
          description,
          idempotency,
        }),
      presentWithoutSecret,
    );
  }

  @Get('list')
  @DocumentedOperation('listWebhooks', 'List the webhooks of an account', {
    description:
      'Returns the webhooks of an account, oldest first. Secrets are not returned, and deleted webhooks are not ' +
      'listed.',
    page: [WebhookDto, 'A page of webhooks.', [WEBHOOK_EXAMPLE]],
  })
  async list(
    @CurrentPrincipal() { scope }: Principal,
    @Param('accountID') accountId: string,
    @Query() query: PageQuery,
  ): Promise<PageBody<WebhookDto>> {
    const page = toPageRequest(query);
    const owner = await this.accounts.narrowScope(scope, accountId);
    return presentListPage(await this.webhooks.listOfAccount(owner, page), page, presentWebhook);
  }

  @Put(':webhookID/url')
  @DocumentedOperation('changeWebhookUrl', 'Change the URL of a webhook', {
    description:
      'Replaces the URL of a webhook. The rules of registration apply to the new URL. All later attempts use ' +
      'the new URL, including attempts for pending deliveries. The secret does not change.',
    answer: [WebhookDto, 'The webhook with its new URL.', WEBHOOK_EXAMPLE],
  })
  async changeUrl(
    @CurrentPrincipal() { scope, keyId: actor, address }: Principal,
    @Param('accountID') accountId: string,
    @PathId('webhookID', 'webhook') webhookId: WebhookId,
    @Body() { url }: WebhookUrlBody,
  ): Promise<WebhookDto> {
    return presentWebhook(
      await this.changeWebhookUrl.change({ scope, actor, address, accountId, webhookId, url }),
    );
  }

  @Patch(':webhookID/activate')
  @DocumentedOperation('activateWebhook', 'Activate a webhook', {
    description:
      'Activates a webhook, so that it receives new events again. Events that it missed are not sent ' +
      'automatically: replay them, or list them with `GET /v1/events`. Safe to repeat.',
    answer: [WebhookDto, 'The active webhook.', WEBHOOK_EXAMPLE],
  })
  async activate(
    @CurrentPrincipal() { scope, keyId: actor, address }: Principal,
    @Param('accountID') accountId: string,
    @PathId('webhookID', 'webhook') webhookId: WebhookId,
  ): Promise<WebhookDto> {
    return presentWebhook(
      await this.changeWebhookStatus.activate({ scope, actor, address, accountId, webhookId }),
    );
  }

  @Patch(':webhookID/deactivate')
  @DocumentedOperation('deactivateWebhook', 'Deactivate a webhook', {
    description: `Deactivates a webhook, so that it stops receiving events. ${FAILS_PENDING_DELIVERIES} You can replay the missed events after you activate the webhook again. Safe to repeat.`,
    answer: [WebhookDto, 'The inactive webhook.', { ...WEBHOOK_EXAMPLE, active: false, enabled: false }],
  })
  async deactivate(
    @CurrentPrincipal() { scope, keyId: actor, address }: Principal,
    @Param('accountID') accountId: string,
    @PathId('webhookID', 'webhook') webhookId: WebhookId,
  ): Promise<WebhookDto> {
    return presentWebhook(
      await this.changeWebhookStatus.deactivate({ scope, actor, address, accountId, webhookId }),
    );
  }

  @Delete(':webhookID/delete')
  @DocumentedOperation('deleteWebhook', 'Delete a webhook', {
    description: `Deletes the webhook permanently. ${FAILS_PENDING_DELIVERIES} Its log entries are kept. Deleting it again returns 404 \`not_found\`.`,
    answer: [DeletedWebhookDto, 'The id of the deleted webhook.', { id: WEBHOOK_EXAMPLE.id }],
  })
  async delete(
    @CurrentPrincipal() { scope, keyId: actor, address }: Principal,
    @Param('accountID') accountId: string,
    @PathId('webhookID', 'webhook') webhookId: WebhookId,
  ): Promise<DeletedWebhookDto> {
    await this.changeWebhookStatus.delete({ scope, actor, address, accountId, webhookId });
    return { id: webhookId };
  }
}
