import { Controller, Get, Param, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request } from 'express';
import { PublicCallers } from '#shared/platform/http/callers/public-callers.js';
import { OwnRate, Public } from '#shared/platform/http/callers/route-markers.js';
import { qrImage } from '#shared/web/parts/qr-code.js';
import {
  CheckoutCodes,
  type CodesOption,
  type SessionCodes,
} from '#contexts/payments/contract/checkout-codes.js';
import type { CodeOption, SaleCodes, TransferCode } from './sale-codes.js';

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
    const { now, pageUrl, token, selected, options, receiptUrl } = await this.callers.runLimited(
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

function presentOption({ uniqueAssetId, symbol, networkName, amount }: CodesOption): CodeOption {
  return { unique_asset_id: uniqueAssetId, symbol, network_name: networkName, amount };
}

function presentTransfer(selected: NonNullable<SessionCodes['selected']>): TransferCode {
  return {
    ...presentOption(selected),
    code: qrImage(selected.code),
    address: selected.address,
    missing_amount: selected.missingAmount,
  };
}
