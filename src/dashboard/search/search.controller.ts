import { Controller, Get, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { PaymentFinder } from '#contexts/payments/contract/payment-finder.js';
import { DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentVisitor, type DashboardVisitor } from '#shared/platform/http/dashboard/dashboard-visitor.js';
import { sendDashboardPage } from '#shared/platform/http/dashboard/send-dashboard-page.js';
import { AnyText } from '#shared/platform/http/validation/field-rules.js';
import { otherHit, paymentHit } from './hit.js';
import { OtherThings } from './other-things.js';
import { searchPage } from './search-page.js';

class SearchQuery {
  @AnyText({ maxLength: 400 }, { optional: true })
  q?: string;
}

@Controller('app/search')
export class SearchController {
  constructor(
    private readonly payments: PaymentFinder,
    private readonly others: OtherThings,
  ) {}

  /** Searches for any quoted text; a single match is opened at once. */
  @DashboardRoute('read')
  @Get()
  async search(
    @Query() { q = '' }: SearchQuery,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    const [payments, others] = await Promise.all([
      this.payments.find(visitor.scope, q),
      this.others.find(visitor.organizationId, q),
    ]);
    const hits = [...payments.map(paymentHit), ...others.map(otherHit)];
    if (hits.length === 1) response.redirect(303, hits[0]!.href);
    else sendDashboardPage(response, searchPage({ visitor, typed: q, hits }));
  }
}
