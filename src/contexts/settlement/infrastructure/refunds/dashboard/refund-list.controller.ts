import { Controller, Get, Query } from '@nestjs/common';
import { invalidField } from '#shared/kernel/domain-error.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { showPage } from '#shared/platform/http/dashboard/dashboard-answer.js';
import { DashboardPageQuery, IsEnteredText } from '#shared/platform/http/dashboard/dashboard-query.js';
import { DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentDashboardUser, type DashboardUser } from '#shared/platform/http/dashboard/dashboard-user.js';
import { validateForm } from '#shared/platform/http/dashboard/form-body.js';
import { readFilteredPage } from '#shared/platform/http/dashboard/list-filters.js';
import { MAX_FOUND_PAYMENTS, PaymentFinder } from '#contexts/payments/contract/payment-finder.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { RefundQueries } from '../persistence/refund-queries.js';
import type { RefundStatus } from '#contexts/settlement/contract/refund-events.js';
import type { RefundFilter } from '#contexts/settlement/domain/refunds/refunds.js';
import { RefundsQuery, toRefundFilter } from '../http/refund.dto.js';
import { refundsPage } from './refunds-page.js';

const PAGE_SIZE = 20;

export class RefundsPageQuery extends DashboardPageQuery {
  @IsEnteredText() status?: string;
  /** Id of a payment, or the beginning of its order number. */
  @IsEnteredText() payment?: string;
}

@Controller('app/refunds')
export class RefundListController {
  constructor(
    private readonly payments: PaymentFinder,
    private readonly refunds: RefundQueries,
    private readonly networks: NetworkCatalogue,
  ) {}

  @DashboardRoute('read')
  @Get()
  async list(@Query() query: RefundsPageQuery, @CurrentDashboardUser() visitor: DashboardUser) {
    const request = { page: query.page, pageSize: PAGE_SIZE };
    const found = await readFilteredPage({ query }, async () =>
      this.refunds.page(visitor.scope, await this.readFilter(visitor.scope, query), request),
    );
    const networkName = (network: string) => this.networks.network(network)?.name ?? network;
    return showPage(refundsPage({ visitor, query, networkName, ...request, ...found }), found.refusal);
  }
  private async readFilter(scope: TenantScope, { status, payment }: RefundsPageQuery): Promise<RefundFilter> {
    const filter = await validateForm(RefundsQuery, {
      page: 1,
      page_size: 1,
      ...(status && { status: status as RefundStatus }),
    });
    if (!payment) return toRefundFilter(filter);
    const found = await this.payments.find(scope, payment);
    if (found.length === MAX_FOUND_PAYMENTS)
      throw invalidField(
        'payment',
        'more_characters',
        `${MAX_FOUND_PAYMENTS} or more payments match. Type more.`,
      );
    return { ...toRefundFilter(filter), paymentRequestIds: found.map(({ id }) => id) };
  }
}
