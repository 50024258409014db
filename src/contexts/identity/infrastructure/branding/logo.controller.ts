import { Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { PublicCallers } from '#shared/platform/http/callers/public-callers.js';
import { PublicPages } from '#shared/platform/http/callers/route-markers.js';
import { Brandings } from '../persistence/brandings.js';

/** Content security policy that prevents an image opened as a page from running scripts or loading resources. */
const CONTENT_SECURITY_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";

/** Serves logos. Caches may keep one permanently, because its path contains the digest of the image. */
@PublicPages('logo/:name')
export class LogoController {
  constructor(
    private readonly brandings: Brandings,
    private readonly callers: PublicCallers,
  ) {}

  @Get()
  async show(@Param('name') name: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const { type, bytes } = await this.callers.runLimited(request, name, () => this.brandings.logoFile(name));
    response.setHeader('Content-Type', type);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    response.setHeader('Content-Disposition', `inline; filename="logo.${type.slice('image/'.length)}"`);
    response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
    // Allows pages of other origins to load the logo, because mails contain it and webmail displays them.
    response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
    response.end(bytes);
  }
}
