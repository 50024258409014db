import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { WebhookId } from '#shared/kernel/ids.js';
import { ApiFailures, ApiSuccess, ApiSuccessPage } from '#shared/platform/http/openapi/api-answers.js';
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
import { AttemptLog } from '../persistence/attempt-log.js';
import { TESTS_PER_MINUTE, TestWebhook } from '#contexts/webhooks/application/delivery/test-webhook.js';
import { ATTEMPT_EXAMPLE, AttemptDto, presentAttempt, TEST_EXAMPLE } from './attempt.dto.js';

@ApiTags('Webhooks')
@OrganizationScope()
@ApiFailures('organization_scope_required', 'account_not_allowed')
@Controller('v1/account/:accountID/webhook')
@ApiParam({
  name: 'accountID',
  format: 'uuid',
  description: 'The account; an organization-level key may name any of its own.',
})
export class WebhookLogController {
  constructor(
    private readonly testWebhook: TestWebhook,
    private readonly answers: IdempotentAnswers,
    private readonly accounts: AccountDirectory,
    private readonly log: AttemptLog,
  ) {}

  @Post(':webhookID/test')
  @TakesIdempotencyKey()
  @ApiParam({ name: 'webhookID', format: 'uuid', description: 'The webhook.' })
  @ApiOperation({
    operationId: 'testWebhook',
    summary: 'Send a webhook a test',
    description:
      'A `payment_request_status_update` with status `processing`, made-up ids and this account’s `account_id`, signed ' +
      'as deliveries are and sent once, whatever the webhook is registered for. It is in the log and counts for ' +
      `\`failing\`. At most ${TESTS_PER_MINUTE} a minute for each webhook; refused with \`state_conflict\` while it is inactive.`,
  })
  @ApiSuccess(AttemptDto, {
    description:
      'The entry of the log, within about 2 seconds. HTTP 200 also where the receiver failed: `status` tells.',
    example: TEST_EXAMPLE,
  })
  @ApiFailures('not_found', 'state_conflict', 'rate_limited')
  test(
    @CurrentPrincipal() { scope }: Principal,
    @Param('accountID') accountId: string,
    @Param('webhookID', new UuidParam('webhook')) webhookId: WebhookId,
    @RequestKey() key: KeyedRequest | undefined,
  ): Promise<AttemptDto> {
    return this.answers.once(key, presentAttempt, (keyed) =>
      this.testWebhook.execute({ scope, accountId, webhookId, keyed }),
    );
  }

  @Get('logs')
  @ApiOperation({
    operationId: 'listWebhookAttempts',
    summary: 'List attempts to deliver, newest first',
    description:
      'One entry for each attempt of each delivery of all webhooks of the account, also of those deleted since.',
  })
  @ApiSuccessPage(AttemptDto, {
    description: 'One page of the log.',
    example: [ATTEMPT_EXAMPLE],
  })
  @ApiFailures('validation_failed')
  async logs(
    @CurrentPrincipal() { scope }: Principal,
    @Param('accountID') accountId: string,
    @Query() query: PageQuery,
  ): Promise<PageBody<AttemptDto>> {
    const page = toPageRequest(query);
    const owner = await this.accounts.narrow(scope, accountId);
    return presentPage(await this.log.page(owner, page), page, presentAttempt);
  }
}
