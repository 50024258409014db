import { Body, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { AnyText } from '#shared/platform/http/validation/field-rules.js';
import { PublicPages } from '#shared/platform/http/callers/route-markers.js';
import { PublicCallers } from '#shared/platform/http/callers/public-callers.js';
import { HttpSandboxWallet } from '../http-sandbox-wallet.js';

export class SandboxWalletBody {
  @AnyText({ maxLength: 4_096 })
  request!: string;
}

/** The sandbox's wallet process has the key. */
@PublicPages('checkout/:sessionId/sandbox-wallet')
export class SandboxWalletController {
  constructor(
    private readonly wallet: HttpSandboxWallet,
    private readonly callers: PublicCallers,
  ) {}

  @Post()
  ask(
    @Param('sessionId') sessionId: string,
    @Body() { request: asked }: SandboxWalletBody,
    @Req() request: Request,
  ): Promise<object> {
    return this.callers.runLimited(request, sessionId, () => this.wallet.ask(asked));
  }
}
