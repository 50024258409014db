import { Controller, Get, Query } from '@nestjs/common';
import { PaymentFinder } from '#contexts/payments/contract/payment-finder.js';
import { seeOther, showPage } from '#shared/platform/http/dashboard/dashboard-answer.js';
import { DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentVisitor, type DashboardVisitor } from '#shared/platform/http/dashboard/dashboard-visitor.js';
import { TypedText } from '#shared/platform/http/dashboard/dashboard-query.js';
import { toSearchHit, toPaymentHit } from './hit.js';
import { NonPaymentSearch } from './non-payment-search.js';
import { searchPage } from './search-page.js';

class SearchQuery {
  @TypedText() q?: string;
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
  async search(@Query() { q = '' }: SearchQuery, @CurrentVisitor() visitor: DashboardVisitor) {
    const [payments, others] = await Promise.all([
      this.payments.find(visitor.scope, q),
      this.others.find(visitor.organizationId, q),
    ]);
    const hits = [...payments.map(toPaymentHit), ...others.map(toSearchHit)];
    if (hits.length === 1) return seeOther(hits[0]!.href);
    return showPage(searchPage({ visitor, typed: q, hits }));
  }
}
