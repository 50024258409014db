import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { matches } from '#shared/platform/http/answers/entity-tag.js';
import { Public, RawAnswer } from '#shared/platform/http/callers/route-markers.js';

/** The build puts it there: clients/checkout-button. */
const MODULE = new URL('../../../../../button.browser.js', import.meta.url);

/** The payers of a shop ask for it again after an hour at the earliest, and wait for no newer one within a week. */
const CACHING = 'public, max-age=3600, stale-while-revalidate=604800';

/** The module of the checkout button, for the pages of shops. It is the same for everybody. */
@Controller('button.js')
@ApiExcludeController()
@Public()
@RawAnswer()
export class ButtonController {
  private read: { readonly text: string; readonly etag: string } | undefined;

  @Get()
  send(@Req() request: Request, @Res() response: Response): void {
    const { text, etag } = (this.read ??= readModule());
    response.setHeader('Cache-Control', CACHING);
    response.setHeader('ETag', etag);
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
    if (matches(request.headers['if-none-match'], etag)) response.status(304).end();
    else response.type('text/javascript').send(text);
  }
}

function readModule() {
  const text = readFileSync(MODULE, 'utf8');
  return { text, etag: `"${createHash('sha256').update(text).digest('base64url')}"` };
}
