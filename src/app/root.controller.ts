import { Controller, Get, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request } from 'express';
import { DomainError } from '#shared/kernel/domain-error.js';
import { Public, RawAnswer } from '#shared/platform/http/callers/route-markers.js';
import { seeOther } from '#shared/platform/http/dashboard/dashboard-answer.js';
import { DashboardSettings } from '#shared/platform/http/dashboard/dashboard-settings.js';

@Controller()
@ApiExcludeController()
@Public()
@RawAnswer()
export class RootController {
  constructor(private readonly dashboard: DashboardSettings) {}

  @Get()
  redirectOrExplain(@Req() { headers }: Request) {
    if (headers.accept?.includes('text/html') === true) return seeOther(this.dashboard.url());
    throw new DomainError(
      'not_found',
      'not_found',
      'There is nothing at this path. The API reference is at /docs, the OpenAPI document at /docs-json.',
    );
  }
}
