import { Injectable } from '@nestjs/common';
import { PaymentLinkSessions } from '../../infrastructure/links/persistence/payment-link-sessions.js';
import { PaymentLinks } from '../../infrastructure/links/persistence/payment-links.js';
import type { CheckoutView } from '../requests/payment-request-view.js';
import { SelectAsset } from '../checkout/select-asset.js';
import { DomainError, UncountedNotFound } from '#shared/kernel/domain-error.js';

@Injectable()
export class SelectAssetForLink {
  constructor(
    private readonly links: PaymentLinks,
    private readonly sessions: PaymentLinkSessions,
    private readonly selectAsset: SelectAsset,
  ) {}

  /** @throws not_found, also if the payer has not opened the link, and the errors of `SelectAsset` */
  async select(code: string, payerSecret: string, uniqueAssetId: string): Promise<CheckoutView> {
    const link = await this.links.findActive(code);
    const session = await this.sessions.find(link.id, payerSecret);
    if (session === undefined) throw linkNotOpened();
    return this.selectAsset.select(session.sessionId, uniqueAssetId);
  }
}

function linkNotOpened(): DomainError {
  return new UncountedNotFound(
    'not_found',
    'not_found',
    'This payment link has not been opened. Open it with POST first, and send the cookie that it sets.',
  );
}
