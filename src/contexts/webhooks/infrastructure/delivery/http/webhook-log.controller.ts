import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { WebhookId } from '#shared/kernel/ids.js';
import { DocumentedOperation } from '#shared/platform/http/openapi/operation.js';
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
import { AttemptLog } from '../persistence/attempt-log.js';
import {
  WEBHOOK_TESTS_PER_MINUTE,
  TestWebhook,
} from '#contexts/webhooks/application/delivery/test-webhook.js';
import { ATTEMPT_EXAMPLE, AttemptDto, presentAttempt, WEBHOOK_TEST_ATTEMPT_EXAMPLE } from './attempt.dto.js';

@ApiTags('Webhooks')
@RequireOrganizationScope()
@ApiErrors('account_not_allowed')
@Controller('v1/account/:accountID/webhook')
@ApiPathId('accountID', 'Id of the account, which must belong to your organization.')
export class WebhookLogController {
  constructor(
    private readonly testWebhook: TestWebhook,
    private readonly answers: IdempotentAnswers,
    private readonly accounts: AccountDirectory,
    private readonly log: AttemptLog,
  ) {}

  @Post(':webhookID/test')
  @DocumentedOperation('testWebhook', 'Send a test delivery to a webhook', {
    description:
      'Sends one signed `payment_request_status_update` with status `processing`, generated ids and the real ' +
      '`account_id`, whatever the webhook’s `event_type` is. The service does not retry the delivery. The ' +
      'attempt is logged, and its result affects the webhook’s `failing` field.\n\n' +
      `A webhook can be tested at most ${WEBHOOK_TESTS_PER_MINUTE} times per minute. Returns 409 \`state_conflict\` if the webhook is inactive.`,
    answer: [
      AttemptDto,
      'Log entry of the test, returned after about 2 seconds at most. The response is HTTP 200 even if the ' +
        'receiver failed: check `status`.',
      WEBHOOK_TEST_ATTEMPT_EXAMPLE,
    ],
    errors: ['state_conflict'],
  })
  test(
    @CurrentPrincipal() { scope }: Principal,
    @Param('accountID') accountId: string,
    @PathId('webhookID', 'webhook') webhookId: WebhookId,
    @IdempotencyKeyParam() key: IdempotentRequest | undefined,
  ): Promise<AttemptDto> {
    return this.answers.answerOnce(key, presentAttempt, (idempotency) =>
      this.testWebhook.test({ scope, accountId, webhookId, idempotency }),
    );
  }

  @Get('logs')
  @DocumentedOperation('listWebhookAttempts', 'List the delivery attempts of an account', {
    description:
      'Returns one entry for each attempt to deliver an event to a webhook of the account, newest first. ' +
      'Attempts for deleted webhooks are included.',
    page: [AttemptDto, 'A page of log entries.', [ATTEMPT_EXAMPLE]],
  })
  async logs(
    @CurrentPrincipal() { scope }: Principal,
    @Param('accountID') accountId: string,
    @Query() query: PageQuery,
  ): Promise<PageBody<AttemptDto>> {
    const page = toPageRequest(query);
    const owner = await this.accounts.narrowScope(scope, accountId);
    return presentListPage(await this.log.page(owner, page), page, presentAttempt);
  }
}
