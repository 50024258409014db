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
  description: 'The account. It must belong to your organization.',
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
    summary: 'Send a test delivery to a webhook',
    description:
      'Sends one signed `payment_request_status_update` with status `processing`, generated ids and the real ' +
      '`account_id`, whatever the `event_type` of the webhook is. The service does not retry it. It is logged ' +
      'and counts for `failing`.\n\n' +
      `At most ${TESTS_PER_MINUTE} tests per minute for each webhook. Returns 409 \`state_conflict\` if the webhook is inactive.`,
  })
  @ApiSuccess(AttemptDto, {
    description:
      'The log entry, after about 2 seconds at most. The response is HTTP 200 even if the receiver failed: ' +
      'check `status`.',
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
    summary: 'List the delivery attempts of an account',
    description:
      'Newest first. One entry for each delivery attempt of all webhooks of the account, including deleted ' +
      'webhooks.',
  })
  @ApiSuccessPage(AttemptDto, {
    description: 'A page of log entries.',
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
