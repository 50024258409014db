import { Controller, Get, Param, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request } from 'express';
import { PublicCallers } from '#shared/platform/http/callers/public-callers.js';
import { OwnRate, Public } from '#shared/platform/http/callers/route-markers.js';
import { qrImage, type QrImage } from '#shared/web/qr/qr-code.js';
import {
  CheckoutCodes,
  type CodesOption,
  type SessionCodes,
} from '#contexts/payments/contract/checkout-codes.js';

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
    private readonly checkouts: CheckoutCodes,
    private readonly callers: PublicCallers,
  ) {}

  @Get()
  async codes(@Param('sessionId') sessionId: string, @Req() request: Request): Promise<SaleCodes> {
    const { now, pageUrl, token, selected, options, receiptUrl } = await this.callers.limited(
      request,
      sessionId,
      () => this.checkouts.read(sessionId),
    );
    return {
      now: now.toISOString(),
      page: qrImage(pageUrl),
      token: qrImage(token),
      transfer: selected && presentTransfer(selected),
      options: options.map(presentOption),
      receipt: receiptUrl === undefined ? undefined : qrImage(receiptUrl),
    };
  }
}

function presentOption({ uniqueAssetId, symbol, networkName, amount }: CodesOption): Option {
  return { unique_asset_id: uniqueAssetId, symbol, network_name: networkName, amount };
}

function presentTransfer(selected: NonNullable<SessionCodes['selected']>): Transfer {
  return {
    ...presentOption(selected),
    code: qrImage(selected.code),
    address: selected.address,
    missing_amount: selected.missingAmount,
  };
}
