import { Controller, Get, Param, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request } from 'express';
import { PublicRateLimiter } from '#shared/platform/http/callers/public-rate-limiter.js';
import { OwnRateLimit, Public } from '#shared/platform/http/callers/route-markers.js';
import { cachedQrImage } from '#shared/web/parts/qr-code.js';
import {
  CheckoutQrCodes,
  type QrCodeOption,
  type CheckoutQrContent,
} from '#contexts/payments/contract/checkout-qr-codes.js';
import type { SaleQrCodeOption, SaleQrCodes, TransferQrCode } from './sale-qr-codes.js';

@Controller('till/codes/:sessionId')
@ApiExcludeController()
@Public()
@OwnRateLimit()
export class SaleQrCodesController {
  constructor(
    private readonly checkouts: CheckoutQrCodes,
    private readonly callers: PublicRateLimiter,
  ) {}

  @Get()
  async qrCodes(@Param('sessionId') sessionId: string, @Req() request: Request): Promise<SaleQrCodes> {
    const { now, pageUrl, token, selected, options, receiptUrl } = await this.callers.runLimited(
      request,
      sessionId,
      () => this.checkouts.read(sessionId),
    );
    return {
      now: now.toISOString(),
      page: cachedQrImage(pageUrl),
      token: cachedQrImage(token),
      transfer: selected && presentTransfer(selected),
      options: options.map(presentOption),
      receipt: receiptUrl === undefined ? undefined : cachedQrImage(receiptUrl),
    };
  }
}

function presentOption({ uniqueAssetId, symbol, networkName, amount }: QrCodeOption): SaleQrCodeOption {
  return { unique_asset_id: uniqueAssetId, symbol, network_name: networkName, amount };
}

function presentTransfer(selected: NonNullable<CheckoutQrContent['selected']>): TransferQrCode {
  return {
    ...presentOption(selected),
    code: cachedQrImage(selected.code),
    address: selected.address,
    missing_amount: selected.missingAmount,
  };
}
