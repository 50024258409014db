import { Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { PublicRateLimiter } from '#shared/platform/http/callers/public-rate-limiter.js';
import { PublicPages } from '#shared/platform/http/callers/route-markers.js';
import { Brandings } from '../persistence/brandings.js';

/** An image opened as a page must not run scripts. */
const CONTENT_SECURITY_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";

/** Cacheable permanently, because the path contains the digest. */
@PublicPages('logo/:name')
export class LogoController {
  constructor(
    private readonly brandings: Brandings,
    private readonly callers: PublicRateLimiter,
  ) {}

  @Get()
  async show(@Param('name') name: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const { type, bytes } = await this.callers.runLimited(request, name, () => this.brandings.logoFile(name));
    response.setHeader('Content-Type', type);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    response.setHeader('Content-Disposition', `inline; filename="logo.${type.slice('image/'.length)}"`);
    response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
    // Mails contain the logo, and webmail displays it.
    response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
    response.end(bytes);
  }
}
