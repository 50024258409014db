import { Controller, Get, Module, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { prepareAnswer, sendPrepared } from '#shared/platform/http/answers/prepared-answer.js';
import { PublicDashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { DASHBOARD_STYLE } from '#shared/web/dashboard/dashboard-page.js';

@Controller('app/assets')
class DashboardStylesheetController {
  private readonly prepared = prepareAnswer('css', DASHBOARD_STYLE.text);

  /** A response for the name of another release must not be cached. */
  @PublicDashboardRoute()
  @Get(':name')
  style(@Param('name') name: string, @Res() response: Response): void {
    const isThis = name === DASHBOARD_STYLE.name;
    response.setHeader('Cache-Control', isThis ? 'public, max-age=31536000, immutable' : 'no-store');
    sendPrepared(response, this.prepared);
  }
}

@Module({ controllers: [DashboardStylesheetController] })
export class DashboardStylesheetModule {}
