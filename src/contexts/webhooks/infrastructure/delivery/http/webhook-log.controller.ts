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
  type: String,
  format: 'uuid',
  description: 'Id of the account, which must belong to your organization.',
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
  @ApiParam({ name: 'webhookID', type: String, format: 'uuid', description: 'Id of the webhook.' })
  @ApiOperation({
    operationId: 'testWebhook',
    summary: 'Send a test delivery to a webhook',
    description:
      'Sends one signed `payment_request_status_update` with status `processing`, generated ids and the real ' +
      '`account_id`, whatever the webhook’s `event_type` is. The service does not retry the delivery. The ' +
      'attempt is logged, and its result affects the webhook’s `failing` field.\n\n' +
      `A webhook can be tested at most ${TESTS_PER_MINUTE} times per minute. Returns 409 \`state_conflict\` if the webhook is inactive.`,
  })
  @ApiSuccess(AttemptDto, {
    description:
      'Log entry of the test, returned after about 2 seconds at most. The response is HTTP 200 even if the ' +
      'receiver failed: check `status`.',
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
      this.testWebhook.test({ scope, accountId, webhookId, keyed }),
    );
  }

  @Get('logs')
  @ApiOperation({
    operationId: 'listWebhookAttempts',
    summary: 'List the delivery attempts of an account',
    description:
      'Returns one entry for each attempt to deliver an event to a webhook of the account, newest first. ' +
      'Attempts for deleted webhooks are included.',
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
