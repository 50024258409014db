import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiFailures, ApiSuccess } from '#shared/platform/http/openapi/api-answers.js';
import { CurrentPrincipal, type Principal } from '#shared/platform/http/callers/principal.js';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import { MerchantEventQueries } from '../persistence/merchant-event-queries.js';
import { EVENTS_EXAMPLE, EventListDto, EventsQuery, presentEvents, toEventFilter } from './events.dto.js';

@ApiTags('Webhooks')
@Controller('v1/events')
export class EventsController {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly events: MerchantEventQueries,
  ) {}

  @Get()
  @ApiOperation({
    operationId: 'listEvents',
    summary: 'Read on in what was told, oldest first; an account key sees its own account’s',
    description:
      'Everything that webhooks are or would be told, whether or not there was a webhook and whether or not it ' +
      'answered; and, told nowhere else, deposits and adjustments, so that all money of a payment request is seen here. ' +
      'Nothing ever appears before an event that was answered already, and the events of one payment ' +
      'request stand in the order in which they happened: who asks after the last event it has handled, until ' +
      '`has_more` is false, has missed nothing. Filters narrow together; `created_from` and `created_to` are of ' +
      '`occurred_at`. With filters an answer may be empty and `has_more` be true: go on behind `next_after`.',
  })
  @ApiSuccess(EventListDto, { description: 'The events that follow.', example: EVENTS_EXAMPLE })
  @ApiFailures('validation_failed', 'account_not_allowed')
  async list(@Query() query: EventsQuery, @CurrentPrincipal() principal: Principal): Promise<EventListDto> {
    const scope = await this.accounts.narrowIfNamed(principal.scope, query.account_id);
    const { after, limit } = query;
    return presentEvents(await this.events.list({ scope, after, limit, filter: toEventFilter(query) }));
  }
}
