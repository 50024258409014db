import { Injectable } from '@nestjs/common';
import { DeploymentCell, codeToLookUp } from '#shared/kernel/deployment-cell.js';
import { Clock } from '#shared/kernel/clock.js';
import { DomainError } from '#shared/kernel/domain-error.js';
import type { AccountId, OrganizationId, PaymentRequestId, PointOfSaleId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import { AccountBranding, type Branding } from '#contexts/identity/contract/account-branding.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { CheckoutUrls } from '#contexts/payments/application/requests/checkout-urls.js';
import {
  chooseReceiptMerchant,
  buildReceipt,
  type Receipt,
} from '#contexts/payments/application/receipts/receipt.js';
import { NetworkFeeHints } from '../../checkout/http/network-fee-hints.js';
import { explorerTransactionUrl } from '../../checkout/http/checkout-page-models.js';
import { REVERSED_AMOUNT } from '../../requests/persistence/payment-request-row.js';
import { PaymentRequestQueries } from '../../requests/persistence/views/payment-request-queries.js';

export interface BrandedReceipt {
  readonly receipt: Receipt;
  readonly branding: Branding;
}

interface Row {
  readonly requestId: PaymentRequestId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly pointOfSaleId: PointOfSaleId;
  readonly issuedAt: Date;
  readonly reversedAmount: bigint;
}

@Injectable()
export class Receipts {
  constructor(
    private readonly database: Database,
    private readonly requests: PaymentRequestQueries,
    private readonly branding: AccountBranding,
    private readonly catalogue: NetworkCatalogue,
    private readonly fees: NetworkFeeHints,
    private readonly urls: CheckoutUrls,
    private readonly clock: Clock,
    private readonly cell: DeploymentCell,
  ) {}

  /** A malformed code takes as long as an unknown code. @throws not_found */
  async find(code: string): Promise<BrandedReceipt> {
    const [row] = await this.database.query<Row>(
      `SELECT r.id AS request_id, r.organization_id, r.account_id, r.point_of_sale_id, p.issued_at,
         ${REVERSED_AMOUNT} AS reversed_amount
       FROM payments.receipts p JOIN payments.payment_requests r ON r.id = p.payment_request_id WHERE p.code = $1`,
      [codeToLookUp(code, this.cell)],
    );
    if (row === undefined)
      throw new DomainError('not_found', 'not_found', 'There is no such receipt. Check the link.');
    const { requestId, pointOfSaleId, issuedAt, reversedAmount, ...owner } = row;
    const request = await this.requests.findDetail(owner, pointOfSaleId, requestId);
    const branding = await this.branding.brandingOf(owner);
    const { uniqueAssetId, currency } = request.asked!;
    const asset = this.catalogue.asset(uniqueAssetId);
    const receipt = buildReceipt(request, {
      url: this.urls.receipt(code),
      issuedAt,
      reversedAmount,
      statedAt: await this.clock.now(),
      merchant: chooseReceiptMerchant(request, branding),
      nameOf: (name) => this.catalogue.network(name)?.name ?? name,
      fee: asset && this.fees.hint(asset, request.checkout?.coinCode ?? currency),
      explorer: (name, hash) => explorerTransactionUrl(this.catalogue.network(name), hash),
    });
    return { receipt, branding };
  }
}
