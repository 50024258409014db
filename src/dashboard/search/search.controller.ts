import { Controller, Get, Query } from '@nestjs/common';
import { PaymentFinder } from '#contexts/payments/contract/payment-finder.js';
import { seeOther, showPage } from '#shared/platform/http/dashboard/dashboard-answer.js';
import { DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentDashboardUser, type DashboardUser } from '#shared/platform/http/dashboard/dashboard-user.js';
import { IsEnteredText } from '#shared/platform/http/dashboard/dashboard-query.js';
import { toNonPaymentSearchHit, toPaymentHit } from './hit.js';
import { NonPaymentSearch } from './non-payment-search.js';
import { searchPage } from './search-page.js';

class SearchQuery {
  @IsEnteredText() q?: string;
}

@Controller('app/search')
export class SearchController {
  constructor(
    private readonly payments: PaymentFinder,
    private readonly others: NonPaymentSearch,
  ) {}

  /** Shows search results. Redirects to the result if there is exactly one. */
  @DashboardRoute('read')
  @Get()
  async search(@Query() { q = '' }: SearchQuery, @CurrentDashboardUser() visitor: DashboardUser) {
    const [payments, others] = await Promise.all([
      this.payments.find(visitor.scope, q),
      this.others.find(visitor.organizationId, q),
    ]);
    const hits = [...payments.map(toPaymentHit), ...others.map(toNonPaymentSearchHit)];
    if (hits.length === 1) return seeOther(hits[0]!.href);
    return showPage(searchPage({ visitor, typed: q, hits }));
  }
}
