import { Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { PublicCallers } from '#shared/platform/http/callers/public-callers.js';
import { PublicPages } from '#shared/platform/http/callers/route-markers.js';
import { Brandings } from '../persistence/brandings.js';

/** Prevents an image opened as a page from running scripts or loading resources. */
const POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";

/** The path contains the digest of the image, so caches may store it permanently. */
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
    response.setHeader('Content-Security-Policy', POLICY);
    response.setHeader('Content-Disposition', `inline; filename="logo.${type.slice('image/'.length)}"`);
    response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
    // Webmail pages load the logo from another origin.
    response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
    response.end(bytes);
  }
}
