import { Controller, Get, Param, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request } from 'express';
import { Clock } from '#shared/kernel/clock.js';
import { PublicCallers } from '#shared/platform/http/callers/public-callers.js';
import { OwnRate, Public } from '#shared/platform/http/callers/route-markers.js';
import { qrImage, type QrImage } from '#shared/web/qr/qr-code.js';
import { CheckoutUrls } from '#contexts/payments/application/requests/checkout-urls.js';
import { CheckoutPageModels } from '../../checkout/http/checkout-page-models.js';
import { LiveCheckouts } from '../../checkout/polling/live-checkouts.js';
import type { PageOption, PageSelection } from '../../checkout/pages/checkout-page-model.js';

/** QR codes of a session as its hosted page draws them, for the screen of a till. */
interface SaleCodes {
  /** The time left is counted from this time of the database, however wrong the phone's clock is. */
  readonly now: string;
  /** Any phone's camera opens the hosted page by it, and a wallet that asks its URL is answered what to pay. */
  readonly page: QrImage | undefined;
  /** Wallets that read payment codes fill in everything by it. */
  readonly token: QrImage | undefined;
  /** Any wallet sends the selected asset by it. */
  readonly transfer: Transfer | undefined;
  readonly options: readonly Option[];
  /** The payer takes the receipt along by it; absent before there is one. */
  readonly receipt: QrImage | undefined;
}

interface Option {
  readonly unique_asset_id: string;
  readonly symbol: string;
  readonly network_name: string;
  /** Absent while there is no price. */
  readonly amount: string | undefined;
}

interface Transfer extends Option {
  readonly code: QrImage | undefined;
  readonly address: string;
  readonly missing_amount: string;
}

@Controller('till/codes/:sessionId')
@ApiExcludeController()
@Public()
@OwnRate()
export class SaleCodesController {
  constructor(
    private readonly live: LiveCheckouts,
    private readonly pages: CheckoutPageModels,
    private readonly callers: PublicCallers,
    private readonly urls: CheckoutUrls,
    private readonly clock: Clock,
  ) {}

  @Get()
  async codes(@Param('sessionId') sessionId: string, @Req() request: Request): Promise<SaleCodes> {
    const { view, etag } = await this.callers.limited(request, sessionId, () =>
      this.live.readFromDatabase(sessionId),
    );
    const now = await this.clock.now();
    const model = await this.pages.modelOf(view, etag, now);
    const { token, selected, options, receiptCode } = model;
    return {
      now: now.toISOString(),
      page: qrImage(this.urls.forWallets(sessionId)),
      token: qrImage(token),
      transfer: selected && presentTransfer(selected),
      options: options.map(presentOption),
      receipt: receiptCode === undefined ? undefined : qrImage(this.urls.receipt(receiptCode)),
    };
  }
}

function presentOption({ uniqueAssetId, symbol, networkName, amount }: PageOption): Option {
  return { unique_asset_id: uniqueAssetId, symbol, network_name: networkName, amount };
}

function presentTransfer(selected: PageSelection): Transfer {
  return {
    ...presentOption(selected),
    code: qrImage(selected.code),
    address: selected.address,
    missing_amount: selected.missingAmount,
  };
}
