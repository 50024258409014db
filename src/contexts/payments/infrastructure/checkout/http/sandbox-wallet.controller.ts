import { Body, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { IsAnyText } from '#shared/platform/http/validation/field-rules.js';
import { PublicPages } from '#shared/platform/http/callers/route-markers.js';
import { PublicRateLimiter } from '#shared/platform/http/callers/public-rate-limiter.js';
import { HttpSandboxWallet } from '../http-sandbox-wallet.js';

export class SandboxWalletBody {
  @IsAnyText({ maxLength: 4_096 })
  request!: string;
}

/** The sandbox's wallet process has the key. */
@PublicPages('checkout/:sessionId/sandbox-wallet')
export class SandboxWalletController {
  constructor(
    private readonly wallet: HttpSandboxWallet,
    private readonly callers: PublicRateLimiter,
  ) {}

  @Post()
  ask(
    @Param('sessionId') sessionId: string,
    @Body() { request: asked }: SandboxWalletBody,
    @Req() request: Request,
  ): Promise<object> {
    return this.callers.runLimited(request, sessionId, () => this.wallet.sendProviderRequest(asked));
  }
}
