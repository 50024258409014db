import { Controller, Get, Query } from '@nestjs/common';
import { showPage } from '#shared/platform/http/dashboard/dashboard-answer.js';
import { DashboardPageQuery } from '#shared/platform/http/dashboard/dashboard-query.js';
import { DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentDashboardUser, type DashboardUser } from '#shared/platform/http/dashboard/dashboard-user.js';
import { AuditLogQueries } from '../persistence/audit-log-queries.js';
import { auditLogPage } from './audit-log-page.js';

const PAGE_SIZE = 15;

@Controller('app/audit-log')
export class AuditLogController {
  constructor(private readonly auditLog: AuditLogQueries) {}

  @DashboardRoute('read')
  @Get()
  async list(@Query() { page }: DashboardPageQuery, @CurrentDashboardUser() visitor: DashboardUser) {
    const paging = { page, pageSize: PAGE_SIZE };
    const entries = await this.auditLog.list(visitor.organizationId, paging);
    return showPage(auditLogPage({ visitor, ...paging, ...entries }));
  }
}
