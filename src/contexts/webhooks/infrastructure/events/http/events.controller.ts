import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { DocumentedOperation } from '#shared/platform/http/openapi/operation.js';
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
  @DocumentedOperation('listEvents', 'List events', {
    description:
      'Lists the events of your organization, oldest first. An account-level key sees only the events of its ' +
      'account. The list contains all events that webhooks can receive, whether or not a webhook was ' +
      'registered or responded. It also contains events about deposits, adjustments, settlements and ' +
      'subscriptions, which are not sent to webhooks.\n\n' +
      'New events appear only after the events that were already returned. The events of one payment request ' +
      'are listed in the order in which they occurred. To receive every event, store `next_after` when you ' +
      'have processed a page, and send it as `after` until `has_more` is false.\n\n' +
      'Filters are combined with AND. `created_from` and `created_to` apply to `occurred_at`. With filters, ' +
      '`data` can be empty while `has_more` is true: continue with `next_after`.',
    answer: [EventListDto, 'The events after the cursor.', EVENTS_EXAMPLE],
    errors: ['account_not_allowed'],
  })
  async list(@Query() query: EventsQuery, @CurrentPrincipal() principal: Principal): Promise<EventListDto> {
    const scope = await this.accounts.narrowScopeIfGiven(principal.scope, query.account_id);
    const { after, limit } = query;
    return presentEvents(await this.events.list({ scope, after, limit, filter: toEventFilter(query) }));
  }
}
