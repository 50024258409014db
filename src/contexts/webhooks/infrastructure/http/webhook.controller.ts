import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { ApiFailures, ApiSuccess } from '../../../../shared/platform/http/api-answers.js';
import { CurrentPrincipal, type Principal } from '../../../../shared/platform/http/principal.js';
import { OrganizationScope } from '../../../../shared/platform/http/route-markers.js';
import { RegisterWebhook } from '../../application/register-webhook.js';
import {
  REGISTERED_WEBHOOK_EXAMPLE,
  RegisteredWebhookDto,
  RegisterWebhookBody,
  presentRegistered,
} from './webhook.dto.js';

@ApiTags('Webhooks')
@Controller('v1/account/:accountID/webhook')
export class WebhookController {
  constructor(private readonly registerWebhook: RegisterWebhook) {}

  @Post()
  @OrganizationScope()
  @ApiOperation({
    operationId: 'registerWebhook',
    summary: 'Register a webhook',
    description:
      'Deliveries are POSTs signed with the secret of this answer. Answer them with HTTP 200 within 2 seconds and at ' +
      'most 20 kB; anything else is tried again after 5 s, 30 s, 2 min, 10 min, 30 min, 2 h, 6 h, 12 h and 24 h. ' +
      'Duplicates can occur, and no order is promised: deduplicate on payment_request_id and status.',
  })
  // A malformed id answers like an account of somebody else, so the path is not validated.
  @ApiParam({ name: 'accountID', format: 'uuid' })
  @ApiSuccess(RegisteredWebhookDto, {
    description: 'The webhook, active from now on.',
    example: REGISTERED_WEBHOOK_EXAMPLE,
  })
  @ApiFailures('validation_failed', 'organization_scope_required', 'account_not_allowed')
  async register(
    @CurrentPrincipal() principal: Principal,
    @Param('accountID') accountId: string,
    @Body() body: RegisterWebhookBody,
  ): Promise<RegisteredWebhookDto> {
    return presentRegistered(
      await this.registerWebhook.execute({
        scope: principal.scope,
        accountId,
        url: body.url,
        eventType: body.event_type,
        description: body.description,
      }),
    );
  }
}
