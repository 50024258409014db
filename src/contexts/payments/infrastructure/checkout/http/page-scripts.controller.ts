import { Controller, Get, Param, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { prepareAnswer, sendPrepared } from '#shared/platform/http/answers/prepared-answer.js';
import { DomainError } from '#shared/kernel/domain-error.js';
import { Public, RawAnswer } from '#shared/platform/http/callers/route-markers.js';
import { PAGE_SCRIPTS } from '../pages/page-scripts.js';

/** The file name contains the integrity hash, so caches can store the script permanently. */
@Controller('checkout/assets')
@ApiExcludeController()
@Public()
@RawAnswer()
export class PageScriptsController {
  private readonly scripts = new Map(
    [...PAGE_SCRIPTS].map(([path, { text }]) => [path, prepareAnswer('js', text)]),
  );

  @Get(':name')
  show(@Param('name') name: string, @Res() response: Response): void {
    const script = this.scripts.get(`/checkout/assets/${name}`);
    if (script === undefined) throw new DomainError('not_found', 'not_found', 'There is no such script.');
    response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
    sendPrepared(response, script);
  }
}
