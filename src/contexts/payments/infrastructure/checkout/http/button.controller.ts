import { readFileSync } from 'node:fs';
import { Controller, Get, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import {
  prepareAnswer,
  sendPrepared,
  type PreparedAnswer,
} from '#shared/platform/http/answers/prepared-answer.js';
import { Public, RawAnswer } from '#shared/platform/http/callers/route-markers.js';

const BUTTON_SCRIPT_URL = new URL('../../../../../button.browser.js', import.meta.url);

const CACHE_CONTROL = 'public, max-age=3600, stale-while-revalidate=604800';

@Controller('button.js')
@ApiExcludeController()
@Public()
@RawAnswer()
export class ButtonController {
  private module: PreparedAnswer | undefined;

  @Get()
  send(@Res() response: Response): void {
    this.module ??= prepareAnswer('text/javascript', readFileSync(BUTTON_SCRIPT_URL));
    response.setHeader('Cache-Control', CACHE_CONTROL);
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
    sendPrepared(response, this.module);
  }
}
