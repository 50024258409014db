import { Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type { Choices } from '#shared/kernel/page.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { ConcurrentDownloads } from '#shared/platform/http/answers/concurrent-downloads.js';
import { sendCsv } from '#shared/platform/http/answers/send-csv.js';
import { seeOther, showPage } from '#shared/platform/http/dashboard/dashboard-answer.js';
import { CompletedActionQuery, toTimeRange } from '#shared/platform/http/dashboard/dashboard-query.js';
import { DashboardActionRoute, DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import {
  handleFormSubmission,
  auditActorOf,
  FormBody,
  requireSingleMatch,
} from '#shared/platform/http/dashboard/form-body.js';
import { CurrentDashboardUser, type DashboardUser } from '#shared/platform/http/dashboard/dashboard-user.js';
import {
  FiltersPipe,
  readFilteredPage,
  ListFilters,
  type ParsedFilters,
} from '#shared/platform/http/dashboard/list-filters.js';
import type { SubmittedForm } from '#shared/web/dashboard/form-fields.js';
import { hrefWith } from '#shared/web/dashboard/list-page.js';
import { UuidParam } from '#shared/platform/http/validation/uuid-param.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import {
  PointOfSaleDirectory,
  type NamedPointOfSale,
} from '#contexts/point-of-sale/contract/points-of-sale.js';
import { AcceptUnderpayment } from '#contexts/payments/application/requests/accept-underpayment.js';
import { ChangeSavedFilters } from '#contexts/payments/application/explanation/change-saved-filters.js';
import { ExplainPaymentRequest } from '#contexts/payments/application/explanation/explain-payment-request.js';
import { isEnded, OPEN_STATUSES } from '#contexts/payments/domain/requests/status.js';
import { CheckoutUrls } from '#contexts/payments/application/requests/checkout-urls.js';
import {
  PaymentRequestListQueries,
  type FoundPaymentRequests,
  type PaymentRequestSearch,
} from '../../requests/persistence/views/payment-request-list-queries.js';
import { SettlementAndRefundRecords } from '#contexts/payments/contract/settlement-and-refund-records.js';
import { DownstreamRecords } from '#contexts/payments/contract/downstream-records.js';
import { PaymentRequestQueries } from '../../requests/persistence/views/payment-request-queries.js';
import { SavedFilters } from '../persistence/saved-filters.js';
import { paymentDetailPage } from './payment-detail-page.js';
import { PAYMENT_CSV_COLUMNS, toPaymentCsvRow } from './payments-csv.js';
import { filtersOf, paymentsPage, PaymentsQuery } from './payments-page.js';
import { REMOVE_FILTER_FIELDS, SAVE_FILTER_FIELDS } from './saved-filter-forms.js';

const PAGE_SIZE = 20;
const RequestId = () => Param('id', new UuidParam('payment request'));
const CSV_BATCH_SIZE = 500;

const ChangeSavedFiltersAct = () =>
  DashboardActionRoute('save or remove a filter of payments', 'read', 'none', 'changes only one’s own links');

@Controller('app')
export class DashboardPaymentsController {
  constructor(
    private readonly pointsOfSale: PointOfSaleDirectory,
    private readonly listedRequests: PaymentRequestListQueries,
    private readonly requests: PaymentRequestQueries,
    private readonly explainPaymentRequest: ExplainPaymentRequest,
    private readonly deliveries: SettlementAndRefundRecords,
    private readonly later: DownstreamRecords,
    private readonly catalogue: NetworkCatalogue,
    private readonly urls: CheckoutUrls,
    private readonly acceptUnderpayment: AcceptUnderpayment,
    private readonly downloads: ConcurrentDownloads,
    private readonly savedFilters: SavedFilters,
    private readonly changeSavedFilters: ChangeSavedFilters,
  ) {}

  @DashboardRoute('read')
  @Get('payments')
  async list(
    @ListFilters(PaymentsQuery) filters: ParsedFilters<PaymentsQuery>,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    const list = await this.readList(filters, visitor);
    return showPage(paymentsPage(list), list.refusal);
  }

  private async readList(filters: ParsedFilters<PaymentsQuery>, visitor: DashboardUser) {
    const { query } = filters;
    const wanted = { page: query.page, pageSize: PAGE_SIZE };
    const points = await this.pointsOfSale.searchChoices(visitor.scope, { typed: query.pos });
    let counts: FoundPaymentRequests['counts'] | undefined;
    const found = await readFilteredPage(filters, async () => {
      const search = toSearch(query, points);
      const { counts: byStatus, ...page } = await this.listedRequests.search(visitor.scope, search, wanted);
      counts = byStatus;
      return page;
    });
    const ended = found.items.filter(({ status }) => isEnded(status)).map(({ id }) => id);
    const deliveries = await this.deliveries.findByRequests(ended);
    const saved = await this.savedFilters.list(visitor.collaboratorId);
    return { visitor, points, deliveries, query, counts, saved, ...wanted, ...found };
  }

  @ChangeSavedFiltersAct()
  @Post('payments/filters')
  saveFilter(
    @FormBody(SAVE_FILTER_FIELDS) form: SubmittedForm<typeof SAVE_FILTER_FIELDS>,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    const { name = '', ...filters } = form.typed;
    const again = async ({ refusal }: SubmittedForm) => {
      const list = await this.readList(await new FiltersPipe(PaymentsQuery).transform(filters), visitor);
      return paymentsPage({ ...list, refusal });
    };
    return handleFormSubmission(form, again, async () => {
      const path = hrefWith('/app/payments', filtersOf(filters));
      const query = new URL(path, 'http://list').search.slice(1);
      await this.changeSavedFilters.save({ ...visitor, ...auditActorOf(visitor) }, { name, query });
      return seeOther(path);
    });
  }

  @ChangeSavedFiltersAct()
  @Post('payments/filters/remove')
  async removeFilter(
    @FormBody(REMOVE_FILTER_FIELDS) { typed }: SubmittedForm<typeof REMOVE_FILTER_FIELDS>,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    await this.changeSavedFilters.remove({ ...visitor, ...auditActorOf(visitor) }, typed.name ?? '');
    return seeOther('/app/payments');
  }

  /** Exports the filtered list. */
  @DashboardRoute('read')
  @Get('payments.csv')
  async export(
    @Query() query: PaymentsQuery,
    @CurrentDashboardUser() visitor: DashboardUser,
    @Res() response: Response,
  ): Promise<void> {
    const points = await this.pointsOfSale.searchChoices(visitor.scope, { typed: query.pos });
    const search = toSearch(query, points);
    // Refuses the search before the download begins.
    await this.listedRequests.search(visitor.scope, search, { page: 1, pageSize: 1 });
    const file = {
      name: `payments-${visitor.at.toISOString().slice(0, 19).replaceAll(':', '')}Z.csv`,
      header: PAYMENT_CSV_COLUMNS,
      batches: this.records(visitor.scope, search),
    };
    await this.downloads.during(visitor.collaboratorId, () => sendCsv(response, file, this.downloads.times));
  }

  private async *records(scope: TenantScope, search: PaymentRequestSearch) {
    let after: string | undefined;
    do {
      const page = { page: 1, pageSize: CSV_BATCH_SIZE, after };
      const { items, next } = await this.listedRequests.search(scope, search, page);
      yield items.map((request) => toPaymentCsvRow(request, this.urls));
      after = next;
    } while (after !== undefined);
  }

  @DashboardRoute('read')
  @Get('payments/:id')
  async show(
    @RequestId() id: PaymentRequestId,
    @Query() { done }: CompletedActionQuery,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    const { scope } = visitor;
    const explanation = await this.explainPaymentRequest.explain(scope, null, id);
    const [request, later] = await Promise.all([
      this.requests.findDetail(scope, explanation.request.pointOfSaleId, id),
      this.later.findByRequest(visitor.organizationId, id),
    ]);
    const networkOf = (name: string) => this.catalogue.network(name);
    const receiptUrl = request.receiptCode && this.urls.receipt(request.receiptCode);
    const { checkout, status } = request;
    const checkoutUrl = checkout && !isEnded(status) ? this.urls.page(checkout.sessionId) : undefined;
    const props = { visitor, request, explanation, later, networkOf, receiptUrl, checkoutUrl, done };
    return showPage(paymentDetailPage(props));
  }

  @DashboardActionRoute('accept an underpaid payment as paid', 'manage', 'none', 'moves no funds')
  @Post('payments/:id/accept')
  async acceptUnderpaidPayment(
    @RequestId() id: PaymentRequestId,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    await this.acceptUnderpayment.accept({ scope: visitor.scope, id, ...auditActorOf(visitor) });
    return seeOther(`/app/payments/${id}?done=accepted`);
  }
}

function toSearch(
  { pos, status, reference, from, to }: PaymentsQuery,
  points: Choices<NamedPointOfSale>,
): PaymentRequestSearch {
  return {
    pointOfSale: pos ? requireSingleMatch('pos', pos, points, 'point of sale') : null,
    ...(status && { statuses: status === 'open' ? OPEN_STATUSES : [status] }),
    ...(reference && { reference }),
    created: toTimeRange({ from, to }),
  };
}
