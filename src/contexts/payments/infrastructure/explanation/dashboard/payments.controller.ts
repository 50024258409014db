import { Controller, Get, Param, Query } from '@nestjs/common';
import type { PaymentRequestId, PointOfSaleId } from '#shared/kernel/ids.js';
import { showPage } from '#shared/platform/http/dashboard/dashboard-answer.js';
import { DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentVisitor, type DashboardVisitor } from '#shared/platform/http/dashboard/dashboard-visitor.js';
import { UuidParam } from '#shared/platform/http/validation/uuid-param.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { PointOfSaleDirectory } from '#contexts/point-of-sale/contract/points-of-sale.js';
import { ExplainPaymentRequest } from '#contexts/payments/application/explanation/explain-payment-request.js';
import { ListedPaymentRequests } from '../../requests/persistence/views/listed-payment-requests.js';
import { LaterRecords } from '#contexts/payments/contract/later-records.js';
import { PaymentRequestQueries } from '../../requests/persistence/views/payment-request-queries.js';
import { paymentPage } from './payment-page.js';
import { paymentsPage } from './payments-page.js';
import { createdOf, PaymentsQuery, STATUSES } from './payments.query.js';

const PAGE_SIZE = 50;
/** The filter offers no more than these. */
const MAX_POINTS_OF_SALE = 100;
const POS = new UuidParam('point of sale');

@Controller('app')
export class PaymentsController {
  constructor(
    private readonly pointsOfSale: PointOfSaleDirectory,
    private readonly listedRequests: ListedPaymentRequests,
    private readonly requests: PaymentRequestQueries,
    private readonly explain: ExplainPaymentRequest,
    private readonly later: LaterRecords,
    private readonly catalogue: NetworkCatalogue,
  ) {}

  /** Lists the requests of one point of sale, as the API does; those of the first where none is named. */
  @DashboardRoute('read')
  @Get('payments')
  async list(@Query() query: PaymentsQuery, @CurrentVisitor() visitor: DashboardVisitor) {
    const choice = { page: 1, pageSize: MAX_POINTS_OF_SALE };
    const { items: pointsOfSale } = await this.pointsOfSale.list(visitor.scope, choice);
    const pointOfSaleId = query.pos ? POS.transform(query.pos) : pointsOfSale[0]?.id;
    const wanted = { page: query.page, pageSize: PAGE_SIZE };
    const status = STATUSES.find((one) => one === query.status);
    const found =
      pointOfSaleId === undefined
        ? { items: [], total: 0 }
        : await this.listedRequests.page(
            visitor.scope,
            pointOfSaleId as PointOfSaleId,
            {
              ...(status && { status }),
              ...(query.reference && { referenceId: query.reference }),
              created: createdOf(query),
            },
            wanted,
          );
    return showPage(paymentsPage({ visitor, pointsOfSale, query, ...wanted, ...found }));
  }

  @DashboardRoute('read')
  @Get('payments/:id')
  async show(
    @Param('id', new UuidParam('payment request')) id: PaymentRequestId,
    @CurrentVisitor() visitor: DashboardVisitor,
  ) {
    const { scope } = visitor;
    const explanation = await this.explain.execute(scope, null, id);
    const [request, later] = await Promise.all([
      this.requests.find(scope, explanation.request.pointOfSaleId, id),
      this.later.recordsOf(visitor.organizationId, id),
    ]);
    const networkOf = (name: string) => this.catalogue.network(name);
    return showPage(paymentPage({ visitor, request, explanation, later, networkOf }));
  }
}
