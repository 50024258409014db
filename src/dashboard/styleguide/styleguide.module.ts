import { Controller, Get, Module } from '@nestjs/common';
import { showPage } from '#shared/platform/http/dashboard/dashboard-answer.js';
import { DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentVisitor, type DashboardVisitor } from '#shared/platform/http/dashboard/dashboard-visitor.js';
import { styleguidePage } from './styleguide-page.js';

@Controller('app/styleguide')
class StyleguideController {
  @DashboardRoute('read')
  @Get()
  show(@CurrentVisitor() visitor: DashboardVisitor) {
    return showPage(styleguidePage(visitor));
  }
}

/** Imported only in the environment `development`. Elsewhere the page does not exist. */
@Module({ controllers: [StyleguideController] })
export class StyleguideModule {}
